import type { toolKinds } from '../../../../contract/tool.ts';
import type { ToolCaller } from './caller.ts';

/** Calls each kind of tool in its own way. */
export function callByKind(callers: Record<(typeof toolKinds)[number], ToolCaller>): ToolCaller {
  return (call) => callers[call.tool.kind](call);
}
