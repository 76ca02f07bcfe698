import type { Appearance } from '../../contract/appearance.ts';
import { readableOn } from '../../contract/contrast.ts';
import { element, icon, root as page } from './page.ts';
import { styleSheet } from './styles.ts';
import { t } from './text.ts';

const SPEECH = 'M4 20l1.3-3.9A8 8 0 1 1 8.5 19L4 20';
const CROSS = 'M6 6l12 12M18 6L6 18';

export interface Looks {
  /** Shows or hides the panel. */
  show: (isOpen: boolean) => void;
  showUnread: (count: number) => void;
  /** Shows a message beside the launcher, until it is accepted or dismissed. */
  propose: (text: string) => void;
  panel: HTMLElement;
  /** Redraws the current state, and puts the widget back if it was removed from the page. */
  draw: () => void;
}

interface LooksOptions {
  agentName: string;
  appearance: Appearance;
  onToggle: () => void;
  onClose: () => void;
}

/** The parts of the widget on the site itself: launcher, badge, bubble and the panel around the frame. */
export function createLooks({ agentName, appearance, onToggle, onClose }: LooksOptions): Looks {
  const count = element('span', { class: 'count', 'aria-hidden': 'true' });
  const launcher = element('button', { class: 'launcher' });
  const panel = element('div', { class: 'panel', role: 'dialog', 'aria-label': agentName });
  const proposal = element('div', { class: 'bubble', role: 'status', hidden: '' });
  const root = element('section', { class: appearance.position }, [panel, proposal, launcher]);
  let isOpen = false;
  let unread = 0;

  const draw = () => {
    launcher.replaceChildren(icon(isOpen ? CROSS : SPEECH), count);
    launcher.ariaExpanded = String(isOpen);
    const key = isOpen ? 'widget.close' : unread ? 'widget.openUnread' : 'widget.open';
    launcher.ariaLabel = t(key, { agent: agentName, count: unread });
    count.hidden = !unread;
    count.textContent = unread > 9 ? '9+' : `${unread}`;
    panel.hidden = !isOpen;
    // Outside the body, which some sites replace.
    if (!host.isConnected) page().append(host);
  };
  const host = dressed(root, appearance);
  draw();
  launcher.addEventListener('click', onToggle);
  root.addEventListener('keydown', ({ key }) => key === 'Escape' && isOpen && onClose());

  return {
    panel,
    draw,
    show(next) {
      isOpen = next;
      proposal.hidden ||= next;
      draw();
      // Keyboard focus returns to where it came from.
      if (!next) launcher.focus();
    },
    showUnread(next) {
      unread = next;
      draw();
    },
    propose(text) {
      const dismiss = element('button', { 'aria-label': t('widget.dismiss') }, [icon(CROSS)]);
      const take = element('button', {}, [text]);
      dismiss.addEventListener('click', () => {
        proposal.hidden = true;
        launcher.focus();
      });
      take.addEventListener('click', onToggle);
      proposal.hidden = false;
      proposal.replaceChildren(take, dismiss);
    },
  };
}

/** The widget in its own shadow tree. */
function dressed(root: HTMLElement, { accent, light, dark, radius, scheme }: Appearance): HTMLElement {
  const host = element('parley-widget' as 'div');
  const shadow = host.attachShadow({ mode: 'open' });
  shadow.adoptedStyleSheets = [styleSheet()];
  const put = (name: string, value: string) => root.style.setProperty(name, value);
  put('color-scheme', scheme === 'system' ? 'light dark' : scheme);
  put('--accent', accent);
  put('--on-accent', readableOn(accent));
  put('--radius', `${radius}px`);
  put('--surface', `light-dark(${light.background},${dark.background})`);
  put('--text', `light-dark(${light.text},${dark.text})`);
  shadow.append(root);
  return host;
}
