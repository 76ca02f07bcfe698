/**
 * What instructions may name in double braces, `{{user.name}}`, to be filled in with each answer. `page.url` is the page of
 * the site that shows the agent, without query and fragment; elsewhere it is empty.
 */
export const variableNames = [
  'user.name',
  'organization.name',
  'agent.name',
  'date',
  'time',
  'page.url',
] as const;
export type VariableName = (typeof variableNames)[number];
