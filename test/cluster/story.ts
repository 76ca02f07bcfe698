import type { ProviderScript } from '../stand-ins/provider.ts';

/** Answered at length. */
export const STORY = 'Tell me a long story.';

/** A model with little to say, unless it is asked for a story: then it talks for two minutes. */
export const storyteller: ProviderScript = {
  pieces: ['All ', 'right.'],
  of: ({ messages }) =>
    JSON.stringify(messages.at(-1)).includes(STORY)
      ? { pieces: Array.from({ length: 1200 }, (_, index) => `word${index} `), betweenPiecesMs: 100 }
      : {},
};
