/** The reader's preferred language, if numbers can be formatted in it. */
export function languageOf(header: string | undefined): string | undefined {
  const first = header?.split(/[,;]/)[0]?.trim() ?? '';
  try {
    return Intl.NumberFormat.supportedLocalesOf(first)[0];
  } catch {
    return undefined;
  }
}
