import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { useRef } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** What is open over the page, the topmost last. */
    over?: readonly string[];
    /** Of what is open over that, which has no name: see `useBack`. */
    steps?: readonly number[];
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
      const { __TSR_key: place, steps = [] } = history.location.state;
      if (!opened || closing.current === place) return;
      closing.current = place;
      history.go(-1 - steps.length);
    },
  };
}
