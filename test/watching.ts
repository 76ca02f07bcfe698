/** One figure of what `/metrics` says: the sum of its series that have these labels. */
export function figure(text: string, name: string, labels: Record<string, string> = {}): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return text
    .split('\n')
    .filter((line) => new RegExp(`^${name}[{ ]`).test(line) && wanted.every((one) => line.includes(one)))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** The names of all figures in it. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
}
