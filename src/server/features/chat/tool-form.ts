import type { LeadField, LeadValues } from '../../../contract/lead.ts';
import { AppError } from '../../app-error.ts';
import type { ChatCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { inConversationToAsk, type Sent } from './asking.ts';
import type { StoredConversation } from './store.ts';
import { fillIn, type StoredCall } from './tool-call-store.ts';
import { onceKeyOf } from './tool-call.ts';
import { goOnWith, openCall, requireLast } from './tool-decision.ts';
import type { Turn } from './turn-store.ts';

/** Where submitted forms are stored; provided by the lead feature. */
export interface Leads {
  /** Does nothing in a dry run. Errors: 400 for values the form doesn't accept, 409 when the agent has reached its maximum. */
  keep: (
    tx: Tx,
    conversation: StoredConversation,
    form: LeadField[],
    values: LeadValues,
  ) => Promise<Record<string, string>>;
}

interface Filled {
  messageId: string;
  callId: string;
  values: LeadValues;
}

/**
 * Stores what the person filled in, in one transaction with recording that they did, and lets the answer resume.
 * Errors: 404 if the caller isn't the person asked, 409 when it no longer waits, those of `keep`.
 */
export async function submitForm(
  deps: Deps,
  leads: Leads,
  caller: ChatCaller,
  conversationId: string,
  filled: Filled,
): Promise<Turn | Sent> {
  return inConversationToAsk(deps, caller, conversationId, async (tx, open) => {
    const found = await openCall(tx, open, caller, filled);
    const { call } = found;
    if (call.state !== 'waiting' || call.waitsFor !== 'form') throw new AppError('tool/not-waiting');
    await requireLast(tx, found);
    const values = await leads.keep(tx, open.conversation, call.form, filled.values);
    const { dryRun } = open.conversation;
    const done = {
      state: dryRun ? ('rehearsed' as const) : ('done' as const),
      arguments: values,
      result: dryRun ? null : JSON.stringify(values),
      onceKey: onceKeyOf(call.toolId, call.operationId, call.arguments),
    };
    if (!(await fillIn(tx, call, done))) throw new AppError('tool/not-waiting');
    const calls = found.calls.map((other) =>
      other === call ? ({ ...call, ...done } satisfies StoredCall) : other,
    );
    return goOnWith(deps, tx, { ...found, calls, caller });
  });
}
