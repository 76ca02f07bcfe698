/**
 * Tells the visitor's other windows on the same site at once that something was said in a conversation. Nothing leaves
 * the browser, which keeps sites' channels separate; a window without one finds out by polling. A window where nothing
 * has been said takes up a conversation it hears of, if `takeUp` can.
 */
export function otherWindows(
  current: () => string | null,
  takeUp: (conversationId: string) => Promise<boolean>,
) {
  let channel: BroadcastChannel | undefined;
  return {
    tell: () => channel?.postMessage(current()),
    /**
     * Calls the listener when another window reports on the conversation open here at that time, until the returned
     * function is called.
     */
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
