import { useEffect } from 'react';
import type { Author } from '../../../contract/chat.ts';
import type { Here, PresentMember } from '../../../contract/events.ts';
import { listen } from '../../socket.ts';
import { createStore } from '../../store.ts';

/** The members who have the inbox open. */
export const online = createStore<readonly Author[]>([]);
/** The members viewing the conversation open here. */
export const present = createStore<readonly PresentMember[]>([]);

/** Without another keystroke, nobody counts as writing for longer than this. */
const WRITES_MS = 5000;

const writing = createStore(false);
let ends: ReturnType<typeof setTimeout> | undefined;

/** Tells other members for a while that this one is writing. */
export function noteWriting(isWriting: boolean): void {
  clearTimeout(ends);
  writing.set(isWriting);
  if (isWriting) ends = setTimeout(() => writing.set(false), WRITES_MS);
}

/**
 * Reports where in the inbox this member is, and receives where others are. A member whose page is hidden is at no
 * conversation. Reports again after a lost connection.
 */
export function usePresence(organizationId: string, conversationId: string | null): void {
  useEffect(() => {
    let tell = (): void => undefined;
    let leave = (): void => undefined;
    const stopOnline = listen(
      'inbox.online',
      (event) => {
        if (event.organizationId === organizationId) online.set(event.online);
      },
      (socket) => {
        tell = () => {
          const isLooking = document.visibilityState === 'visible';
          const here: Here = {
            organizationId,
            conversationId: isLooking ? conversationId : null,
            isWriting: writing.get(),
          };
          socket.emit('inbox.here', here);
        };
        leave = () => void socket.emit('inbox.left');
        tell();
      },
    );
    const stopPresent = listen(
      'inbox.present',
      (event) => {
        if (event.conversationId === conversationId) present.set(event.members);
      },
      () => undefined,
    );
    const look = () => tell();
    const stopWriting = writing.subscribe(look);
    document.addEventListener('visibilitychange', look);
    return () => {
      stopOnline();
      stopPresent();
      stopWriting();
      document.removeEventListener('visibilitychange', look);
      noteWriting(false);
      leave();
      present.set([]);
    };
  }, [organizationId, conversationId]);
}
