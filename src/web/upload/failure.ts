/** A failed upload with its code from the error table, or one of the two that only the browser knows. */
export class UploadError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'UploadError';
    this.code = code;
  }
}

/** The server's problem document, if it is readable. */
export function problemIn(body: string): { code: string; detail: string } | undefined {
  try {
    const problem = JSON.parse(body) as { code?: unknown; detail?: unknown };
    if (typeof problem.code !== 'string' || typeof problem.detail !== 'string') return undefined;
    return { code: problem.code, detail: problem.detail };
  } catch {
    return undefined;
  }
}
