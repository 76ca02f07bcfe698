export const views = ['operations', 'connection', 'trial', 'calls', 'settings'] as const;
export type View = (typeof views)[number];

/** What an address says of the view of a tool; what makes no sense is left out. */
export function placeOf({ view }: Record<string, unknown>): { view?: View } {
  const known = views.find((each) => each === view);
  return known ? { view: known } : {};
}

/** The kinds of tools that are more than one click to add. */
export type FormKind = 'openapi';

/** What an address says of the kind of tool that is added. */
export function choiceOf({ kind }: Record<string, unknown>): { kind?: FormKind } {
  return kind === 'openapi' ? { kind } : {};
}
