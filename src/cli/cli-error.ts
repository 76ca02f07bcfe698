import { ApiError } from '../contract/client.ts';

export const exitCodes = { failed: 1, usage: 2, notAllowed: 3, interrupted: 130 } as const;

/** A failure with a message of its own. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function wrongUsage(message: string): CliError {
  return new CliError(`${message} See "parley --help".`, exitCodes.usage);
}

export function notLoggedIn(message: string): CliError {
  return new CliError(message, exitCodes.notAllowed);
}

/** A failure as reported to a person, and to a program. */
export function failureOf(error: unknown): { exitCode: number; message: string; code: string } {
  if (error instanceof CliError) return { exitCode: error.exitCode, message: error.message, code: 'cli' };
  if (error instanceof ApiError) {
    const isRefused = error.status === 401 || error.status === 403;
    const fields = error.errors.map(({ path, message }) => `\n  ${path}: ${message}`).join('');
    const exitCode = isRefused ? exitCodes.notAllowed : exitCodes.failed;
    return { exitCode, message: error.message + fields, code: error.code };
  }
  return {
    exitCode: exitCodes.failed,
    message: error instanceof Error ? error.message : String(error),
    code: 'cli',
  };
}
