import { auditedCalls } from '../../../contract/audited.ts';
import { contract } from '../../../contract/index.ts';
import type { Route } from '../../../contract/route.ts';

const titles = new Map<string, string>(auditedCalls.map((call) => [call, summaryOf(call)]));

function summaryOf(call: (typeof auditedCalls)[number]): string {
  const [area = '', name = ''] = call.split('.');
  return (contract as Record<string, Record<string, Route>>)[area]?.[name]?.summary ?? call;
}

/** `member.invite` is `Invite people`. */
export const titleOf = (action: string): string => titles.get(action) ?? action;

/** What can be looked for, in the order of its words. */
export const actions = [...titles]
  .map(([value, label]) => ({ value, label }))
  .toSorted((a, b) => a.label.localeCompare(b.label, 'en'));
