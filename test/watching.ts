/** A metric from `/metrics`: the sum of its series with these labels. */
export function figure(text: string, name: string, labels: Record<string, string> = {}): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return text
    .split('\n')
    .filter((line) => new RegExp(`^${name}[{ ]`).test(line) && wanted.every((one) => line.includes(one)))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** The names of all its metrics. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
}
