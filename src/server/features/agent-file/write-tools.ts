import type { Agent } from '../../access/gate.ts';
import type { Tx } from '../../db/scope.ts';
import { listOperations, listTools, type StoredOperation, type StoredTool } from '../tool/store.ts';
import { parts } from './format.ts';
import type { Operation, Tool } from './format-tools.ts';
import { LineWriter, nameIn } from './spool.ts';
import type { Folder } from '../../folders/work-folder.ts';

/** Writes an agent's tools into the folder, with all settings and no secrets. */
export async function writeTools(tx: Tx, agent: Agent, folder: Folder): Promise<void> {
  const tools = new LineWriter(folder.at(nameIn(parts.tools)));
  const operations = new LineWriter(folder.at(nameIn(parts.operations)));
  for (const [place, tool] of (await listTools(tx, agent.organizationId, agent.id)).entries()) {
    await tools.write(toolOf(tool));
    for (const operation of await listOperations(tx, tool))
      await operations.write(operationOf(operation, place));
  }
  await tools.end();
  await operations.end();
}

function toolOf(tool: StoredTool): Tool {
  const { kind, name, status, serverUrl, servers, documentUrl, hasDocument, authentication, hosts, form } =
    tool;
  return {
    kind,
    name,
    status,
    serverUrl: serverUrl && withoutPassword(serverUrl),
    servers: servers.map(withoutPassword),
    documentUrl: documentUrl && withoutPassword(documentUrl),
    hasDocument,
    authentication,
    hasSecret: tool.secret !== null,
    hosts,
    form,
  };
}

/** Addresses in documents can contain one. */
function withoutPassword(address: string): string {
  const url = new URL(address);
  if (url.username === '' && url.password === '') return address;
  url.username = '';
  url.password = '';
  return url.href;
}

function operationOf(operation: StoredOperation, tool: number): Operation {
  const { toolId: _t, organizationId: _o, position: _p, method, plan, ...rest } = operation;
  const parameters = plan.parameters.map(
    ({ name, property, in: place, required, description, style, explode }) => {
      return { name, property, in: place, required, description, style, explode };
    },
  );
  return { ...rest, tool, method: method as Operation['method'], plan: { ...plan, parameters } };
}
