import type { MessageKey } from '../messages/t.ts';

export type Act =
  | 'palette'
  | 'shortcuts'
  | 'search'
  | 'create-agent'
  | 'agents'
  | 'home'
  | 'knowledge'
  | 'settings'
  | 'conversations';

interface Shortcut {
  act: Act;
  /** Pressed in sequence. `Mod+` stands for Ctrl, on a Mac for Command. */
  keys: readonly string[];
  title: MessageKey;
}

/** All shortcuts of the product. Single-character ones can be switched off. */
export const shortcuts: readonly Shortcut[] = [
  { act: 'palette', keys: ['Mod+K'], title: 'commands.open' },
  { act: 'shortcuts', keys: ['?'], title: 'commands.shortcuts' },
  { act: 'search', keys: ['/'], title: 'commands.search' },
  { act: 'create-agent', keys: ['C'], title: 'agents.create' },
  { act: 'agents', keys: ['G', 'A'], title: 'commands.toAgents' },
  { act: 'home', keys: ['G', 'H'], title: 'commands.toHome' },
  { act: 'knowledge', keys: ['G', 'K'], title: 'commands.toKnowledge' },
  { act: 'settings', keys: ['G', 'S'], title: 'commands.toSettings' },
  { act: 'conversations', keys: ['G', 'C'], title: 'commands.toConversations' },
];

interface Pressed {
  /** The prefix a longer shortcut may continue from. */
  keys: readonly string[];
  act?: Act;
}

/** What a key means after those before it. A key that matches nothing starts over. */
export function press(before: readonly string[], key: string): Pressed {
  const keys = [...before, key];
  const found = shortcuts.find((shortcut) => isSame(shortcut.keys, keys));
  if (found) return { keys: [], act: found.act };
  if (shortcuts.some((shortcut) => isSame(shortcut.keys.slice(0, keys.length), keys))) return { keys };
  return before.length > 0 ? press([], key) : { keys: [] };
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, index) => key === b[index]);
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** An event's key in the table's notation; empty for one that no shortcut can have. */
export function keyOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string {
  const written = key.length === 1 ? key.toUpperCase() : '';
  if (written === '' || altKey) return '';
  if (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) return `Mod+${written}`;
  return ctrlKey || metaKey ? '' : written;
}

/** A key as named on the current keyboard. */
export function shownKey(key: string): string {
  return key.replace('Mod+', isMac ? '⌘' : 'Ctrl ');
}
