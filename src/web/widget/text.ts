import { widgetMessages } from '../messages/en-widget.ts';

/** As everywhere, but without plural forms, which these texts don't use. */
export function t(
  key: keyof typeof widgetMessages,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return widgetMessages[key].replaceAll(/\{(\w+)\}/g, (_place, name: string) => values[name] as string);
}
