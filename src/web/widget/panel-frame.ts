import { createEntry } from './entry.ts';
import { createFrame, type Frame } from './frame.ts';
import { element } from './page.ts';
import type { FrameMessage } from './protocol.ts';
import { report } from './report.ts';
import { Refused } from './server.ts';
import type { Settings } from './settings.ts';
import { t } from './text.ts';

interface PanelFrameOptions {
  settings: Settings;
  title: string;
  /** The container for the frame, or for the reason why there is none. */
  panel: HTMLElement;
  onSaid: (said: Extract<FrameMessage, { type: 'said' }>) => void;
  /** Called for each different visitor. */
  onVisitor: () => void;
  onClose: () => void;
}

/**
 * The frame in its panel. It is loaded when somebody first wants to chat. Messages sent before the visitor is known
 * wait; then the frame has them, and keeps them if there is nobody to send them for.
 */
export function createPanelFrame({ settings, title, panel, onSaid, onVisitor, onClose }: PanelFrameOptions) {
  const { origin, agentId } = settings;
  const entry = createEntry(settings, onVisitor);
  const unsent: string[] = [];
  let frame: Frame | undefined;
  /** It is known who the visitor is, or that nobody may visit. */
  let isSettled = false;
  /** The frame has asked for the visit. */
  let isAsked = false;

  const say = (text: string) => frame?.tell({ type: 'send', text });
  const enter = async () => {
    const answer = await entry.enter();
    if (!answer) return;
    if (answer instanceof Refused) frame?.tell({ type: 'refused', code: answer.code });
    else frame?.tell({ type: 'visit', visit: answer });
    isSettled = true;
    unsent.splice(0).forEach(say);
  };

  const onMessage = (message: FrameMessage) => {
    if (message.type === 'close') return onClose();
    if (message.type === 'said') return onSaid(message);
    isAsked = true;
    entry.remember(message.refreshToken);
    void enter();
  };

  /** The frame could not be displayed: the server knows why, otherwise it is this page's own policy. */
  const onSilence = async () => {
    const answer = await entry.visit();
    const refusal = answer instanceof Refused ? answer.message : null;
    if (refusal === null) report(t('widget.frameRefused', { host: origin }));
    panel.replaceChildren(element('p', { role: 'alert' }, [refusal ?? t('widget.failed')]));
    // Reopening the panel retries it.
    frame = undefined;
  };

  return {
    show() {
      if (!frame) {
        frame = createFrame({ origin, agentId, title, onMessage, onSilence });
        panel.replaceChildren(frame.node);
      }
      frame.node.focus();
      frame.tell({ type: 'shown', page: location.href });
    },
    hide: () => frame?.tell({ type: 'hidden' }),
    send: (text: string) => (isSettled ? say(text) : unsent.push(text)),
    identify: (userToken: string | null) => {
      entry.identify(userToken);
      // Messages sent from now on are theirs.
      isSettled = false;
      if (isAsked) void enter();
    },
  };
}
