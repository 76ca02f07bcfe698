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

/** The frame in its panel. It is loaded when somebody first wants to chat; what is sent before waits for its visitor. */
export function createPanelFrame({ settings, title, panel, onSaid, onClose }: PanelFrameOptions) {
  const { origin, agentId } = settings;
  const entry = createEntry(settings);
  const unsent: string[] = [];
  let frame: Frame | undefined;
  let hasEntered = false;
  /** The frame wants to hear who visits. */
  let isAsked = false;

  const enter = async () => {
    const answer = await entry.enter();
    if (!answer) return;
    if (answer instanceof Refused) return frame?.tell({ type: 'refused', code: answer.code });
    hasEntered = true;
    frame?.tell({ type: 'visit', visit: answer });
    for (const text of unsent.splice(0)) frame?.tell({ type: 'send', text });
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
    send(text: string) {
      if (hasEntered) frame?.tell({ type: 'send', text });
      else unsent.push(text);
    },
    identify: (userToken: string | null) => {
      entry.identify(userToken);
      // What is sent from now on is theirs, and waits until they are there.
      hasEntered = false;
      if (isAsked) void enter();
    },
  };
}
