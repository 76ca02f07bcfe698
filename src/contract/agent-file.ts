import * as z from 'zod';
import { Chatbot } from './chatbot.ts';
import { Download, name, text, Timestamp } from './common.ts';
import { idOf } from './id.ts';
import { AGENT_FILE_IMPORTS_PER_HOUR_AND_ADDRESS, AGENT_NAME_MAX_CHARACTERS } from './limits.ts';
import { route } from './route.ts';

export const agentImportStates = ['queued', 'reading', 'ready', 'failed'] as const;

/**
 * The creation of an agent from a file or from another agent. Nothing of the agent exists until it is `ready`, nor if
 * it has `failed`.
 */
export const AgentImport = z.object({
  id: idOf('agentImport'),
  state: z.enum(agentImportStates),
  /** Passages written so far, and in total; 0 until they are counted. */
  done: z.number().int(),
  total: z.number().int(),
  /** Why it failed, in words. */
  error: z.string().nullable(),
  /** The new agent, once it exists. */
  chatbotId: idOf('agent').nullable(),
  createdAt: Timestamp,
});
export type AgentImport = z.infer<typeof AgentImport>;

const agentParameters = { id: idOf('agent'), organizationId: idOf('organization') };
const NewName = name(AGENT_NAME_MAX_CHARACTERS);
const limit = { requests: AGENT_FILE_IMPORTS_PER_HOUR_AND_ADDRESS, seconds: 3600 };

/** An agent as one file: its settings, knowledge and tests. No people, conversations, keys or secrets. */
export const agentFile = {
  /** A ZIP: `parley-agent.json`, `knowledge/`, `images/`, `tests/` and `tools/`, as described in `docs/guides/agent-file.md`. */
  export: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/export',
    summary: 'Export an agent as a file',
    produces: 'application/zip',
    input: z.strictObject(agentParameters),
    output: Download,
  }),
  /**
   * Creates an agent from a file fully uploaded by the tus protocol with `purpose` `agent` in its metadata. Errors:
   * `storage/upload-unfinished`; problems with the file itself are reported by the import.
   */
  import: route({
    method: 'POST',
    path: '/v1/chatbot/import',
    summary: 'Import an agent from a file',
    limit,
    input: z.strictObject({
      organizationId: idOf('organization'),
      uploadId: idOf('upload'),
      /** Default: the name in the file. */
      name: NewName.optional(),
    }),
    output: z.object({ import: AgentImport }),
  }),
  getImport: route({
    method: 'GET',
    path: '/v1/chatbot/import/{importId}',
    summary: 'The progress of an import',
    input: z.strictObject({ importId: idOf('agentImport'), organizationId: idOf('organization') }),
    output: z.object({ import: AgentImport }),
  }),
  /** Equivalent to exporting it and importing the file. */
  duplicate: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/duplicate',
    summary: 'Duplicate an agent',
    limit,
    input: z.strictObject({ ...agentParameters, name: NewName.optional() }),
    output: z.object({ import: AgentImport }),
  }),
};

export const DeletedChatbot = z.object({
  id: idOf('agent'),
  name: z.string(),
  profilePhoto: z.string(),
  deletedAt: Timestamp,
  /** When it will be deleted permanently. */
  purgedAt: Timestamp,
});
export type DeletedChatbot = z.infer<typeof DeletedChatbot>;

/** Where an agent is kept: moving it to the trash and back, and between organizations. */
export const agentKeeping = {
  listDeleted: route({
    method: 'GET',
    path: '/v1/chatbot/trash',
    summary: 'Deleted agents that can be restored',
    input: z.strictObject({ organizationId: idOf('organization') }),
    output: z.object({ chatbots: z.array(DeletedChatbot) }),
  }),
  restore: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/restore',
    summary: 'Restore a deleted agent',
    input: z.strictObject(agentParameters),
    output: z.object({ chatbot: Chatbot }),
  }),
  /**
   * Moves an agent and everything that belongs to it to another organization. For people who manage both. The agent
   * leaves its teams; answers in progress are stopped where they are. Errors: 400 when `name` is not the agent's name.
   */
  transfer: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/transfer',
    summary: 'Move an agent to another organization',
    input: z.strictObject({
      ...agentParameters,
      toOrganizationId: idOf('organization'),
      /** The agent's name, typed as confirmation. */
      name: text(AGENT_NAME_MAX_CHARACTERS),
    }),
    output: z.object({
      chatbot: Chatbot,
      /** Models it uses that the other organization doesn't have: they are skipped, and the next one answers. */
      missingModels: z.array(z.string()),
    }),
  }),
};
