/** Ends the start, with words for the operator. */
export class ConfigError extends Error {}

/** What is wrong with settings: a line for each, which begins with its name. */
export function notValid(...lines: string[]): ConfigError {
  return new ConfigError(['The configuration is not valid.', ...lines].join('\n'));
}
