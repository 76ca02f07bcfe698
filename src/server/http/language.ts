/** The first language that the reader asks for, as far as numbers can be written in it. */
export function languageOf(header: string | undefined): string | undefined {
  const first = header?.split(/[,;]/)[0]?.trim() ?? '';
  try {
    return Intl.NumberFormat.supportedLocalesOf(first)[0];
  } catch {
    return undefined;
  }
}
