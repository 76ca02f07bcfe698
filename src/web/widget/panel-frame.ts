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
  /** Where the frame goes, or why there is none. */
  panel: HTMLElement;
  onSaid: (said: Extract<FrameMessage, { type: 'said' }>) => void;
  onClose: () => void;
}

/**
 * The frame in its panel. It is loaded when somebody first wants to chat. What is sent while it is not known who visits waits for that;
 * then the frame has it, and keeps it where there is nobody to say it for.
 */
export function createPanelFrame({ settings, title, panel, onSaid, onClose }: PanelFrameOptions) {
  const { origin, agentId } = settings;
  const entry = createEntry(settings);
  const unsent: string[] = [];
  let frame: Frame | undefined;
  /** It is known who visits, or that nobody may. */
  let isSettled = false;
  /** The frame wants to hear who visits. */
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

  /** The frame could not be shown: the server knows why, or else it is this page's own policy. */
  const onSilence = async () => {
    const answer = await entry.visit();
    const refusal = answer instanceof Refused ? answer.message : null;
    if (refusal === null) report(t('widget.frameRefused', { host: origin }));
    panel.replaceChildren(element('p', { role: 'alert' }, [refusal ?? t('widget.failed')]));
    // Who opens the panel again has it tried again.
    frame = undefined;
  };

  return {
    show() {
      if (!frame) {
        frame = createFrame({ origin, agentId, title, onMessage, onSilence });
        panel.replaceChildren(frame.node);
      }
      frame.node.focus();
      frame.tell({ type: 'shown' });
    },
    hide: () => frame?.tell({ type: 'hidden' }),
    send: (text: string) => (isSettled ? say(text) : unsent.push(text)),
    identify: (userToken: string | null) => {
      entry.identify(userToken);
      // What is sent from now on is theirs.
      isSettled = false;
      if (isAsked) void enter();
    },
  };
}
