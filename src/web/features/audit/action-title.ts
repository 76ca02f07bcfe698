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

/** The actions to filter by, in alphabetical order. */
export const actions = [...titles]
  .map(([value, label]) => ({ value, label }))
  .toSorted((a, b) => a.label.localeCompare(b.label, 'en'));
