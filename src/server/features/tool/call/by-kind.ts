import type { toolKinds } from '../../../../contract/tool.ts';
import type { ToolCaller } from './caller.ts';

/** Each kind of tool is called in its own way. */
export function callByKind(callers: Record<(typeof toolKinds)[number], ToolCaller>): ToolCaller {
  return (call) => callers[call.tool.kind](call);
}
