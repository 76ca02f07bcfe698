/** A finding about one thing the installation needs. */
export interface Finding {
  /** `warning`: it works, but somebody should look at it. */
  level: 'ok' | 'warning' | 'error';
  text: string;
}

export const ok = (text: string): Finding => ({ level: 'ok', text });
export const warning = (text: string): Finding => ({ level: 'warning', text });
export const error = (text: string): Finding => ({ level: 'error', text });
