/**
 * What instructions may refer to in double braces, `{{user.name}}`, filled in for each answer. `page.url` is the
 * embedding site's page, without query and fragment; elsewhere it is empty.
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
