/** Aborts the start with a message for the operator. */
export class ConfigError extends Error {}

/** Invalid settings: one line each, starting with the setting's name. */
export function notValid(...lines: string[]): ConfigError {
  return new ConfigError(['The configuration is not valid.', ...lines].join('\n'));
}
