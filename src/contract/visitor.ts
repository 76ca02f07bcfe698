import * as z from 'zod';
import { text, Timestamp } from './common.ts';
import { PublicAgent } from './chatbot.ts';
import { idOf } from './id.ts';
import { USER_TOKEN_MAX_CHARACTERS, VISITS_PER_HOUR_AND_ADDRESS } from './limits.ts';
import { route } from './route.ts';

/** A visitor's right to chat with one agent. */
export const Visit = z.object({
  visitorId: idOf('visitor'),
  /** Bearer of the chat calls until `expiresAt`; only for this agent, and on a page only from the site that asked. */
  token: z.string(),
  expiresAt: Timestamp,
  /**
   * Brings a nameless visitor back to their conversations, for 30 days from the last time. Null when the site has said who
   * it is: then it says so again.
   */
  refreshToken: z.string().nullable(),
  agent: PublicAgent,
});
export type Visit = z.infer<typeof Visit>;

/** How programs and sites identify an agent's end users. It contains no secret. */
export const AgentAccess = z.object({
  /** By which the site's user tokens are signed; null: none are accepted. */
  algorithm: z.enum(['HS256', 'RS256']).nullable(),
  /** PEM, with RS256. */
  publicKey: z.string().nullable(),
  /** `parleyagent_3f9a…c2d1`; null: there is no key. */
  apiKeyPreview: z.string().nullable(),
});
export type AgentAccess = z.infer<typeof AgentAccess>;

const ofAgent = z.strictObject({ id: idOf('agent') });

export const visitor = {
  /**
   * Lets somebody on a web page chat with a public agent. `userToken` is a JWT by which the site says who they are: signed
   * by the agent's embed secret (HS256) or the site's own key (RS256), `sub` and an `exp` at most 24 hours away, `aud` only
   * if it is the agent's id, `name` if they are to be called something. The same `sub` is the same visitor everywhere.
   * Errors: 403 from a site that is not on the agent's list, 401 for a user token that proves nothing.
   */
  authenticate: route({
    method: 'POST',
    path: '/v1/chat/authenticate',
    summary: 'Visit an agent',
    access: 'public',
    visitors: true,
    limit: { requests: VISITS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
    input: z.strictObject({
      /** Its id or handle. */
      chatbotId: text(64, 1),
      userToken: text(USER_TOKEN_MAX_CHARACTERS, 1).optional(),
      /** Of an earlier visit; one that is not valid any more begins a new one. */
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
  /** Shown once. User tokens are HS256 from now on; those signed by an earlier secret or key are refused. */
  rotateEmbedSecret: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/embed-secret',
    summary: 'Create a new embed secret',
    input: ofAgent,
    output: z.object({ secret: z.string(), access: AgentAccess }),
  }),
  /** User tokens are RS256 from now on. Null: none are accepted, whatever they are signed by. */
  setEmbedKey: route({
    method: 'PUT',
    path: '/v1/chatbot/{id}/embed-key',
    summary: "Set the site's public key",
    input: z.strictObject({ id: idOf('agent'), publicKey: text(4096, 1).nullable() }),
    output: z.object({ access: AgentAccess }),
  }),
  /**
   * Shown once; an earlier key ends. It is the bearer of the chat calls for a program that chats with this agent for its
   * end users, each named by the header `End-User`; without it for the program itself.
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
