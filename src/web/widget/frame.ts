import { element } from './page.ts';
import { readFrameMessage, type FrameMessage, type LoaderMessage } from './protocol.ts';

export interface Frame {
  node: HTMLIFrameElement;
  tell: (message: LoaderMessage) => unknown;
}

interface FrameOptions {
  /** Our origin. */
  origin: string;
  agentId: string;
  title: string;
  onMessage: (message: FrameMessage) => void;
  onSilence: () => void;
}

/** The chat's own document. It is told which origin frames it, and talks to no other. */
export function createFrame({ origin, agentId, title, onMessage, onSilence }: FrameOptions): Frame {
  const node = element('iframe', {
    src: `${origin}/embed/${encodeURIComponent(agentId)}#${encodeURIComponent(location.href)}`,
    title,
    allow: 'clipboard-write; microphone',
  });
  /** How long a frame may stay silent after loading: one that may not be displayed here never speaks. */
  const SILENCE_MS = 3000;
  let hasSpoken = false;
  addEventListener('message', (event) => {
    if (event.origin !== origin || event.source !== node.contentWindow) return;
    const message = readFrameMessage(event.data);
    if (!message) return;
    hasSpoken = true;
    // On phones the launcher is the way out until the frame has its own.
    node.className = 'on';
    onMessage(message);
  });
  node.addEventListener('load', () => setTimeout(() => hasSpoken || onSilence(), SILENCE_MS));
  // Until it speaks, there is another document in its window.
  return { node, tell: (message) => hasSpoken && node.contentWindow?.postMessage(message, origin) };
}
