import * as z from 'zod';
import { name, nextCursor, pageIfAsked, Timestamp } from './common.ts';
import { idOf } from './id.ts';
import { route } from './route.ts';

/** What a key can do: the same as a viewer, or as an editor of all agents. */
export const apiKeyScopes = ['read', 'write'] as const;

/** An organization's key for programs. The key itself is shown once, when it is created. */
export const ApiKey = z.object({
  id: idOf('apiKey'),
  organizationId: idOf('organization'),
  name: z.string(),
  scope: z.enum(apiKeyScopes),
  /** `parley_3f9a…c2d1`: enough to tell it from other keys. */
  preview: z.string(),
  createdBy: idOf('user'),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const apiKey = {
  list: route({
    method: 'GET',
    path: '/v1/platform/api-key',
    summary: "An organization's API keys",
    input: z.strictObject({ organizationId: idOf('organization'), ...pageIfAsked }),
    output: z.object({ apiKeys: z.array(ApiKey), nextCursor }),
  }),
  create: route({
    method: 'POST',
    path: '/v1/platform/api-key',
    summary: 'Create an API key',
    input: z.strictObject({
      organizationId: idOf('organization'),
      name: name(80),
      scope: z.enum(apiKeyScopes),
    }),
    output: z.object({ apiKey: ApiKey, secret: z.string() }),
  }),
  revoke: route({
    method: 'DELETE',
    path: '/v1/platform/api-key/{id}',
    summary: 'Revoke an API key',
    input: z.strictObject({ id: idOf('apiKey') }),
    output: z.object({ revoked: z.literal(true) }),
  }),
};
