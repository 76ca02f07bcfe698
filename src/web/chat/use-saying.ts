import type { RefObject } from 'react';
import { ApiError } from '../../contract/client.ts';
import type { ConversationAction } from './conversation-state.ts';
import { followAnswer } from './follow-answer.ts';
import type { ChatTransport, Sending } from './types.ts';

interface SayingSetup {
  transport: ChatTransport;
  describeError: (error: unknown) => string;
  dispatch: (action: ConversationAction) => void;
  leaving: RefObject<AbortController>;
  firstLoaded: Promise<void>;
}

/** If something can be bought that allows it. */
export function isToBePaid(transport: ChatTransport, error: unknown): boolean {
  return transport.shop !== undefined && error instanceof ApiError && error.code === 'payment/required';
}

/**
 * Sends a composed message, once what is stored has been loaded: loading would otherwise overwrite it. If it does not
 * arrive, it stays on the page, to be resent with its key.
 */
export function useSaying({ transport, describeError, dispatch, leaving, firstLoaded }: SayingSetup) {
  const send = async (message: Sending) => {
    const { signal } = leaving.current;
    dispatch({ type: 'sent', message });
    try {
      await firstLoaded;
      const events = await transport.send(message, signal);
      await followAnswer({ transport, dispatch, signal, events });
    } catch (error) {
      if (signal.aborted) return;
      const reason = describeError(error);
      if (isToBePaid(transport, error)) dispatch({ type: 'refused', refused: { message, reason } });
      else dispatch({ type: 'unsent', key: message.key, error: reason });
    }
  };

  /** In a room, to everyone: nobody answers automatically. */
  const say = async (message: Sending) => {
    dispatch({ type: 'said', message: { ...message, toAll: true } });
    try {
      await firstLoaded;
      const data = await transport.say?.(message.text);
      if (data) dispatch({ type: 'event', event: { type: 'data-message', data } });
    } catch (error) {
      dispatch({ type: 'unsent', key: message.key, error: describeError(error) });
    }
  };

  /** To its original audience. */
  const sayAgain = (message: Sending) => (message.toAll ? say(message) : send(message));
  const discard = ({ key }: Sending) => dispatch({ type: 'discarded', key });

  return { send, say, sayAgain, discard };
}
