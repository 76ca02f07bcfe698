import { currentScript } from './page.ts';

/** The attributes of the script's own tag. */
export interface Settings {
  /** The script's origin: the frame and the API are there too. */
  origin: string;
  /** ID or handle. */
  agentId: string;
  /** The site's statement of who its user is; empty: none. */
  userToken: string;
  /** Shown beside the launcher, if not empty, after this many seconds, five by default. */
  proactive: string;
  afterSeconds: number;
}

/** Null if the tag names no agent. */
export function readSettings(): Settings | null {
  const script = currentScript();
  const { agent = '', proactive = '', proactiveAfter = '', userToken = '' } = script?.dataset ?? {};
  const agentId = agent.trim();
  if (!script?.src || !agentId) return null;
  const after = Number.parseFloat(proactiveAfter);
  const afterSeconds = after >= 0 ? after : 5;
  return {
    origin: new URL(script.src).origin,
    agentId,
    userToken,
    proactive: proactive.trim(),
    afterSeconds,
  };
}
