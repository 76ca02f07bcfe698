import { toolKinds } from '../../../contract/tool.ts';

export const views = ['operations', 'connection', 'settings'] as const;
export type View = (typeof views)[number];

/** What an address says of the view of a tool; what makes no sense is left out. */
export function placeOf({ view }: Record<string, unknown>): { view?: View } {
  const known = views.find((each) => each === view);
  return known ? { view: known } : {};
}

/** What an address says of the kind of tool that is added. */
export function choiceOf({ kind }: Record<string, unknown>): { kind?: (typeof toolKinds)[number] } {
  const known = toolKinds.find((each) => each === kind);
  return known ? { kind: known } : {};
}
