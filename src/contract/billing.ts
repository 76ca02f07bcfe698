import * as z from 'zod';
import { idOf } from './id.ts';
import { planTypes } from './plans.ts';
import { route } from './route.ts';

/** What a plan includes on this installation. */
export const PlanNumbers = z.object({
  agents: z.number(),
  members: z.number(),
  teams: z.number(),
  knowledgeBytes: z.number(),
  storedBytes: z.number(),
});

/** Null limits: `BILLING_MODE=off`. */
export const Usage = z.object({
  planType: z.enum(planTypes),
  /** `2026-11`, a calendar month in UTC. */
  month: z.string(),
  credits: z.object({
    used: z.number().int(),
    /** Held for answers under way. */
    reserved: z.number().int(),
    limit: z.number().int().nullable(),
  }),
  plan: PlanNumbers.nullable(),
});
export type Usage = z.infer<typeof Usage>;

export const billing = {
  getUsage: route({
    method: 'GET',
    path: '/v1/billing/usage',
    summary: "An organization's usage this month",
    input: z.strictObject({ organizationId: idOf('organization') }),
    output: z.object({ usage: Usage }),
  }),
};
