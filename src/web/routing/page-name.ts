import { useEffect } from 'react';
import { createStore } from '../store.ts';

/** The current page's subject, if only its screen knows it; the window's title starts with it. */
export const pageName = createStore<string | null>(null);

/** Names the page as long as it is shown. */
export function usePageName(name: string): void {
  useEffect(() => {
    pageName.set(name);
    return () => pageName.set(null);
  }, [name]);
}
