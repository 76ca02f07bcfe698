export const clusterViews = ['open', 'answered', 'dismissed', 'topics'] as const;
type View = (typeof clusterViews)[number];

export function isView(value: unknown): value is View {
  return clusterViews.some((view) => view === value);
}
