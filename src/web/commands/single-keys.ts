import { localKeeper } from '../storage.ts';
import { createStore } from '../store.ts';

const KEY = 'parley.single-keys';

/** Whether single-character shortcuts work in this browser. People who use speech input need them off. */
export const singleKeys = createStore(localKeeper.get(KEY) !== 'off');

export function switchSingleKeys(isOn: boolean): void {
  localKeeper.set(KEY, isOn ? 'on' : 'off');
  singleKeys.set(isOn);
}

addEventListener('storage', (event) => {
  if (event.key === KEY) singleKeys.set(event.newValue !== 'off');
});
