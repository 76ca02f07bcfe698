import type { PublicAgent } from '../../contract/chatbot.ts';
import type { Emitter } from './events.ts';
import { createLooks } from './looks.ts';
import { createPanelFrame } from './panel-frame.ts';
import type { Settings } from './settings.ts';

export interface Widget {
  open: () => void;
  close: () => void;
  send: (text: string) => void;
  identify: (userToken: string | null) => void;
  draw: () => void;
}

/** One agent's widget on this page. */
export function createWidget(settings: Settings, agent: PublicAgent, { emit }: Emitter): Widget {
  const { name: title, appearance } = agent;
  const { proactive, afterSeconds } = settings;
  let isOpen = false;
  let wasOpen = false;
  let unread = 0;

  const count = (next: number) => {
    if (next === unread) return;
    unread = next;
    looks.showUnread(next);
    emit('unread', next);
  };
  const toggle = (next: boolean) => {
    if (next === isOpen) return;
    isOpen = next;
    wasOpen = true;
    looks.show(next);
    if (next) frame.show();
    else frame.hide();
    emit(next ? 'open' : 'close');
    if (next) count(0);
  };
  const close = () => toggle(false);
  const onToggle = () => toggle(!isOpen);
  const looks = createLooks({ agentName: title, appearance, onToggle, onClose: close });
  const frame = createPanelFrame({
    settings,
    title,
    panel: looks.panel,
    onClose: close,
    onSaid({ role, text }) {
      emit('message', { role, text });
      if (role !== 'user' && !isOpen) count(unread + 1);
    },
    // They have nothing to do with what somebody else has not read.
    onVisitor: () => count(0),
  });
  if (proactive) setTimeout(() => wasOpen || looks.propose(proactive), afterSeconds * 1000);
  return {
    open: () => toggle(true),
    close,
    send(text) {
      toggle(true);
      frame.send(text);
    },
    identify: frame.identify,
    draw: looks.draw,
  };
}
