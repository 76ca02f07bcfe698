import { hearLoader } from './place.ts';

/** What the site says on the visitor's behalf, kept until there is a conversation to say it in. */
export interface Outbox {
  /** Delivers what is waiting and what comes, until the returned function is called. */
  deliverTo: (say: (text: string) => void) => () => void;
}

export function createOutbox(site: string | null): Outbox {
  const waiting: string[] = [];
  let say: ((text: string) => void) | undefined;
  hearLoader(site, (message) => {
    if (message.type !== 'send') return;
    const text = message.text.trim();
    if (text === '') return;
    if (say) say(text);
    else waiting.push(text);
  });
  return {
    deliverTo(next) {
      say = next;
      for (const text of waiting.splice(0)) next(text);
      return () => {
        say = undefined;
      };
    },
  };
}
