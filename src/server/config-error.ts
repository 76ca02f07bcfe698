/** Ends the start, with words for the operator. */
export class ConfigError extends Error {}
