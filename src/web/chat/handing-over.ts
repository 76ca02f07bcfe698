/**
 * How the page that a service redirects to (`/connected`) passes the result to the waiting conversation: over a
 * broadcast channel, and to the window that opened it if that is a frame on another site, whose channels are
 * partitioned. Nothing leaves this origin, and only the conversation that began this exact state accepts it.
 */
export interface ServiceAnswer {
  state: string;
  code: string;
}

interface Said {
  type: 'parley.connected' | 'parley.taken';
  answer: ServiceAnswer;
}

const CHANNEL = 'parley.connected';
/** A conversation that is open answers sooner. */
const TAKEN_WITHIN_MS = 2000;

/**
 * The service can't reach the page that opened its window, except from within a frame on another site: there the window
 * must be able to reach the frame.
 */
export function openWindow(): Window | null {
  const popup = open('about:blank', '', 'popup,width=520,height=720');
  if (popup && window.top === window) popup.opener = null;
  return popup;
}

/** Calls `take` once with the answer for this state, until the returned function is called. */
export function awaitAnswer(state: string, take: (answer: ServiceAnswer) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  const end = () => {
    channel.close();
    removeEventListener('message', hear);
  };
  const hear = (event: MessageEvent) => {
    const said = saidIn(event);
    if (said?.type !== 'parley.connected' || said.answer.state !== state) return;
    const taken: Said = { ...said, type: 'parley.taken' };
    channel.postMessage(taken);
    (event.source as Window | null)?.postMessage(taken, location.origin);
    end();
    take(said.answer);
  };
  channel.addEventListener('message', hear);
  addEventListener('message', hear);
  return end;
}

/** Whether a conversation has accepted it. */
export function handOver(answer: ServiceAnswer): Promise<boolean> {
  const channel = new BroadcastChannel(CHANNEL);
  const said: Said = { type: 'parley.connected', answer };
  return new Promise((resolve) => {
    const end = (isTaken: boolean) => {
      clearTimeout(timer);
      channel.close();
      removeEventListener('message', hear);
      resolve(isTaken);
    };
    const hear = (event: MessageEvent) => {
      const heard = saidIn(event);
      if (heard?.type === 'parley.taken' && heard.answer.state === answer.state) end(true);
    };
    const timer = setTimeout(() => end(false), TAKEN_WITHIN_MS);
    channel.addEventListener('message', hear);
    addEventListener('message', hear);
    channel.postMessage(said);
    (opener as Window | null)?.postMessage(said, location.origin);
  });
}

/** As a single text, for carrying it over by hand. */
export function writeAnswer({ state, code }: ServiceAnswer): string {
  return `${state} ${code}`;
}

export function readAnswer(text: string): ServiceAnswer | undefined {
  const [state, code, ...rest] = text.trim().split(/\s+/);
  return state && code && rest.length === 0 ? { state, code } : undefined;
}

function saidIn({ origin, data }: MessageEvent): Said | undefined {
  const isSaid =
    origin === location.origin &&
    typeof data === 'object' &&
    data !== null &&
    ['parley.connected', 'parley.taken'].includes((data as Said).type);
  return isSaid ? (data as Said) : undefined;
}
