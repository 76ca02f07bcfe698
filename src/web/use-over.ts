import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { useRef } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** What is open over the page, the topmost last. */
    over?: readonly string[];
  }
}

/**
 * Something over a page, such as a sheet, with a place of its own in the history: Back closes it and nothing else, and who follows a link
 * in it comes back to it. Only for what nothing is changed by, since a page that is reloaded shows it again.
 */
export function useOver(name: string): { opened: boolean; open: () => void; close: () => void } {
  const opened = useLocation({ select: ({ state }) => state.over?.includes(name) === true });
  const navigate = useNavigate();
  const { history } = useRouter();
  const closing = useRef<string | undefined>(undefined);
  return {
    opened,
    open: () =>
      void navigate({
        to: '.',
        search: true,
        hash: true,
        state: ({ over = [] }) => ({ over: [...over, name] }),
        resetScroll: false,
      }),
    // Asked for twice, by Escape and a click, it goes back once.
    close: () => {
      const place = history.location.state.__TSR_key;
      if (!opened || closing.current === place) return;
      closing.current = place;
      history.back();
    },
  };
}
