export const views = ['operations', 'connection', 'trial', 'calls', 'settings'] as const;
export type View = (typeof views)[number];

/** Parses a tool's view from an address; invalid values are dropped. */
export function placeOf({ view }: Record<string, unknown>): { view?: View } {
  const known = views.find((each) => each === view);
  return known ? { view: known } : {};
}

/** The kinds of tools that take more than one click to add. */
export type FormKind = 'openapi';

/** Parses the kind of tool to add from an address. */
export function choiceOf({ kind }: Record<string, unknown>): { kind?: FormKind } {
  return kind === 'openapi' ? { kind } : {};
}
