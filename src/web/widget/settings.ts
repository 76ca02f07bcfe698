import { currentScript } from './page.ts';

/** What the script's own tag says. */
export interface Settings {
  /** Where the script came from: the frame and the API are there too. */
  origin: string;
  /** Id or handle. */
  agentId: string;
  /** By which the site says who its user is. */
  userToken: string | null;
  /** Said beside the launcher after so many seconds, five unless given. */
  proactive: { text: string; afterSeconds: number } | null;
}

/** Null when the tag names no agent. */
export function readSettings(): Settings | null {
  const script = currentScript();
  const { agent = '', proactive = '', proactiveAfter = '', userToken } = script?.dataset ?? {};
  const [agentId, text] = [agent.trim(), proactive.trim()];
  if (!script?.src || !agentId) return null;
  const after = Number.parseFloat(proactiveAfter);
  const afterSeconds = after >= 0 ? after : 5;
  return {
    origin: new URL(script.src).origin,
    agentId,
    userToken: userToken || null,
    proactive: text ? { text, afterSeconds } : null,
  };
}
