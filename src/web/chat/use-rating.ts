import { useRef } from 'react';
import { useParts } from './conversation-context.ts';
import type { Feedback, Rating } from './types.ts';

/**
 * Rates this answer, showing the rating at once. A load that began before the server had it may still finish, and
 * doesn't undo it. The function resolves to false if the server did not accept it: then the previous rating is shown
 * again.
 */
export function useRating(id: string, before: Rating | null) {
  const { chat, transport } = useParts();
  const last = useRef<Feedback>(null);
  return async (feedback: Feedback): Promise<boolean> => {
    const show = (rating: Rating | null) => {
      if (last.current === feedback) chat.dispatch({ type: 'rated', id, rating });
    };
    last.current = feedback;
    show(feedback.rating);
    try {
      await transport.rate?.(id, feedback);
      chat.outdate();
      show(feedback.rating);
      return true;
    } catch (error) {
      show(before);
      chat.failed(error);
      return false;
    }
  };
}
