import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { useRef } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The overlays open above the page, topmost last. */
    over?: readonly string[];
    /** For unnamed overlays above those: see `useBack`. */
    steps?: readonly number[];
  }
}

/**
 * An overlay such as a sheet with its own history entry: Back closes just the overlay, and returning from a link in it
 * reopens it. Only for overlays that change nothing, since a reload shows them again.
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
    // Requested twice, by Escape and a click, it goes back once.
    close: () => {
      const { __TSR_key: place, steps = [] } = history.location.state;
      if (!opened || closing.current === place) return;
      closing.current = place;
      history.go(-1 - steps.length);
    },
  };
}
