import type { PublicAgent } from '../../contract/chatbot.ts';
import { createEmitter, type Emitter } from './events.ts';
import { body } from './page.ts';
import { report } from './report.ts';
import { connect, type Refused } from './server.ts';
import { readSettings, type Settings } from './settings.ts';
import { t } from './text.ts';
import { createWidget, type Widget } from './widget.ts';

/** A call made before the script was there: `(window.parley ||= []).push(['send', 'Hello'])`. */
type Queued = readonly [name: string, ...values: unknown[]];

/** What a site gets as `window.parley`. What is called before the agent is known happens then, in the same order. */
type Api = Omit<Widget, 'draw'> &
  Pick<Emitter, 'on'> & {
    push: (...calls: Queued[]) => void;
    /** Whom the page shows, as its script says. */
    agent: string;
  };

const settings = readSettings();
const given = (window as { parley?: unknown }).parley;
const shown = (given as Partial<Api> | undefined)?.agent;
if (!settings) report(t('widget.noAgent'));
// On a page that was written anew, and runs the script again, the same widget goes on.
else if (typeof shown === 'string') {
  (given as Api).push();
  if (shown !== settings.agentId) report(t('widget.second', { agent: shown }));
} else start(settings);

function start(settings: Settings): void {
  const emitter = createEmitter();
  const widget = readAgent(settings).then(({ agent }) => createWidget(settings, agent, emitter));
  const later = (act: (widget: Widget) => void) => void widget.then(act, () => undefined);
  const api: Api = {
    agent: settings.agentId,
    open: () => later((made) => made.open()),
    close: () => later((made) => made.close()),
    send: (text) => later((made) => made.send(text)),
    identify: (userToken) => later((made) => made.identify(userToken)),
    on: emitter.on,
    push(...calls) {
      later((made) => made.draw());
      for (const [name, ...values] of calls) {
        (api as unknown as Partial<Record<string, (...values: unknown[]) => unknown>>)[name]?.(...values);
      }
    },
  };
  // An element of the page may have this id, which is no queue.
  if (Array.isArray(given)) api.push(...(given as Queued[]));
  Object.defineProperty(window, 'parley', { value: Object.freeze(api), configurable: true });
  widget.then(
    () => emitter.emit('ready'),
    (error: Error) => report(error.message),
  );
}

/**
 * Waits for the page's body, and for an answer: a page that was opened without a network gets its widget with it. Asks ever more
 * rarely. Errors: what the server refuses.
 */
async function readAgent({ origin, agentId }: Settings): Promise<{ agent: PublicAgent }> {
  if (!body()) await new Promise((resolve) => addEventListener('DOMContentLoaded', resolve));
  for (let pauseMs = 2000; ; pauseMs *= 2) {
    try {
      return await connect(origin, agentId).readAgent();
    } catch (error) {
      if ((error as Refused).code !== 'server/unavailable') throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
