import {
  TOOL_FUNCTIONS_PER_AGENT_MAX,
  TOOL_OPERATIONS_MAX,
  TOOLS_PER_AGENT_MAX,
} from '../../../contract/limits.ts';
import { AgentFileError, type Archive } from './archive.ts';
import { parts } from './format.ts';
import { Operation, Tool } from './format-tools.ts';
import { listed, readList } from './read-list.ts';

/** A file's tools, checked for consistency with their operations. Errors: `AgentFileError` with the place and the reason. */
export async function checkTools(archive: Archive): Promise<Tool[]> {
  const tools = await readList(archive, parts.tools, Tool, TOOLS_PER_AGENT_MAX);
  const known = tools.map(() => ({ ids: new Set<string>(), functionNames: new Set<string>() }));
  let enabled = 0;
  for await (const { value, where } of listed(archive, parts.operations, Operation)) {
    const [tool, names] = [tools[value.tool], known[value.tool]];
    if (!tool || !names) throw new AgentFileError(`${where}: tool ${value.tool} doesn’t exist.`);
    requireKind(tool, value, where);
    if (names.ids.has(value.id) || names.functionNames.has(value.functionName))
      throw new AgentFileError(`${where}: this operation appears twice.`);
    names.ids.add(value.id);
    names.functionNames.add(value.functionName);
    if (names.ids.size > TOOL_OPERATIONS_MAX)
      throw new AgentFileError(`${where}: the tool has more than ${TOOL_OPERATIONS_MAX} operations.`);
    enabled += value.enabled ? 1 : 0;
    if (enabled > TOOL_FUNCTIONS_PER_AGENT_MAX)
      throw new AgentFileError(`${where}: more than ${TOOL_FUNCTIONS_PER_AGENT_MAX} operations are enabled.`);
  }
  return tools;
}

/** The method tells which operations only read, so one without a method must not claim to have one. */
function requireKind({ kind }: Tool, { method, path }: Operation, where: string): void {
  const isFitting =
    kind === 'builtin' ||
    (kind === 'mcp' ? method === '' && path === '' : method !== '' && path.startsWith('/'));
  if (!isFitting) throw new AgentFileError(`${where}: this operation doesn’t fit this kind of tool.`);
}
