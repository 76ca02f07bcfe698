import * as z from 'zod';
import { AgentAddress, text, Timestamp } from './common.ts';
import { PublicAgent } from './chatbot.ts';
import { idOf } from './id.ts';
import { USER_TOKEN_MAX_CHARACTERS, VISITS_PER_HOUR_AND_ADDRESS } from './limits.ts';
import { route } from './route.ts';

/** A visitor's right to chat with one agent. */
export const Visit = z.object({
  visitorId: idOf('visitor'),
  /**
   * Bearer token for the chat calls until `expiresAt`; valid only for this agent, and on a page only from the
   * requesting site.
   */
  token: z.string(),
  expiresAt: Timestamp,
  /**
   * Brings an anonymous visitor back to their conversations, for 30 days after the last visit. Null if the site
   * identified them: it does so again on each visit.
   */
  refreshToken: z.string().nullable(),
  agent: PublicAgent,
});
export type Visit = z.infer<typeof Visit>;

/** How programs and sites identify an agent's end users. It contains no secret. */
export const AgentAccess = z.object({
  /** The algorithm that signs the site's user tokens; null: none are accepted. */
  algorithm: z.enum(['HS256', 'RS256']).nullable(),
  /** PEM, for RS256. */
  publicKey: z.string().nullable(),
  /** `parleyagent_3f9a…c2d1`; null: there is no key. */
  apiKeyPreview: z.string().nullable(),
});
export type AgentAccess = z.infer<typeof AgentAccess>;

const ofAgent = z.strictObject({ id: idOf('agent') });

export const visitor = {
  /**
   * Lets someone on a web page chat with a public agent. `userToken` is a JWT in which the site says who they are:
   * signed with the agent's embed secret (HS256) or the site's own key (RS256), with `sub` and an `exp` at most 24
   * hours away, `aud` only if it is the agent's id, and `name` to give them a display name. The same `sub` is the same
   * visitor everywhere. Errors: 403 from a site that isn't on the agent's list, 401 for an invalid user token.
   */
  authenticate: route({
    method: 'POST',
    path: '/v1/chat/authenticate',
    summary: 'Visit an agent',
    access: 'public',
    visitors: true,
    limit: { requests: VISITS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
    input: z.strictObject({
      chatbotId: AgentAddress,
      userToken: text(USER_TOKEN_MAX_CHARACTERS, 1).optional(),
      /** From an earlier visit; an invalid one starts a new visit. */
      refreshToken: text(128, 1).optional(),
    }),
    output: Visit,
  }),
  getAccess: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/access',
    summary: 'How sites and programs identify end users',
    input: ofAgent,
    output: z.object({ access: AgentAccess }),
  }),
  /** Shown once. User tokens are HS256 from now on; those signed with an earlier secret or key are rejected. */
  rotateEmbedSecret: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/embed-secret',
    summary: 'Create a new embed secret',
    input: ofAgent,
    output: z.object({ secret: z.string(), access: AgentAccess }),
  }),
  /** User tokens are RS256 from now on. Null: none are accepted, whatever they are signed with. */
  setEmbedKey: route({
    method: 'PUT',
    path: '/v1/chatbot/{id}/embed-key',
    summary: "Set the site's public key",
    input: z.strictObject({ id: idOf('agent'), publicKey: text(4096, 1).nullable() }),
    output: z.object({ access: AgentAccess }),
  }),
  /**
   * Shown once; an earlier key stops working. It is the bearer token of the chat calls for a program that chats with
   * this agent for its end users, each identified by the header `End-User`; without the header, for the program itself.
   */
  rotateApiKey: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/api-key',
    summary: 'Create a new key for the agent',
    input: ofAgent,
    output: z.object({ apiKey: z.string(), access: AgentAccess }),
  }),
  removeApiKey: route({
    method: 'DELETE',
    path: '/v1/chatbot/{id}/api-key',
    summary: "Revoke the agent's key",
    input: ofAgent,
    output: z.object({ access: AgentAccess }),
  }),
};
