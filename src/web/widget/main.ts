import type { PublicAgent } from '../../contract/chatbot.ts';
import { createEmitter, type Emitter } from './events.ts';
import { body } from './page.ts';
import { report } from './report.ts';
import { connect, type Refused } from './server.ts';
import { readSettings, type Settings } from './settings.ts';
import { t } from './text.ts';
import { createWidget, type Widget } from './widget.ts';

/** A call made before the script was loaded: `(window.parley ||= []).push(['send', 'Hello'])`. */
type Queued = readonly [name: string, ...values: unknown[]];

/** The site's `window.parley`. Calls made before the agent is known run afterwards, in the same order. */
type Api = Omit<Widget, 'draw'> &
  Pick<Emitter, 'on'> & {
    push: (...calls: Queued[]) => void;
    /** The agent shown on the page, according to its script. */
    agent: string;
  };

const settings = readSettings();
const given = (window as { parley?: unknown }).parley;
const shown = (given as Partial<Api> | undefined)?.agent;
if (!settings) report(t('widget.noAgent'));
// If the page was rewritten and runs the script again, the same widget continues.
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
  // A page element may have this ID, which isn't a queue.
  if (Array.isArray(given)) api.push(...(given as Queued[]));
  Object.defineProperty(window, 'parley', { value: Object.freeze(api), configurable: true });
  widget.then(
    () => emitter.emit('ready'),
    (error: Error) => report(error.message),
  );
}

/**
 * Waits for the page's body, and for a response: a page opened without a network gets its widget once there is one.
 * Retries with increasing delays. Errors: the server's refusals.
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
