import { useEffect } from 'react';
import { createStore } from '../store.ts';

/** What the shown page is about, where its screen alone knows; the window's title begins with it. */
export const pageName = createStore<string | null>(null);

/** Names the page as long as it is shown. */
export function usePageName(name: string): void {
  useEffect(() => {
    pageName.set(name);
    return () => pageName.set(null);
  }, [name]);
}
