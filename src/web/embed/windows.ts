/**
 * The visitor's other windows on the same site hear at once that something was said in a conversation. Nothing leaves the browser, which
 * keeps the channels of sites apart; one that has none finds it by looking. A window in which nothing has been said takes up the conversation that it
 * hears of, where `takeUp` can.
 */
export function otherWindows(
  current: () => string | null,
  takeUp: (conversationId: string) => Promise<boolean>,
) {
  let channel: BroadcastChannel | undefined;
  return {
    tell: () => channel?.postMessage(current()),
    /** Calls when another one told of the conversation that is open here by then, until the returned function is called. */
    hear(listener: () => void): () => void {
      const own = open();
      channel = own;
      own?.addEventListener('message', ({ data }) => {
        if (typeof data !== 'string') return;
        if (data === current()) listener();
        else if (current() === null) void takeUp(data).then((isTaken) => isTaken && listener());
      });
      return () => {
        own?.close();
        if (channel === own) channel = undefined;
      };
    },
  };
}

function open(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel('parley.said');
  } catch {
    return undefined;
  }
}
