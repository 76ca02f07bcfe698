import type { ProviderScript } from '../stand-ins/provider.ts';

/** What is answered at length. */
export const STORY = 'Tell me a long story.';

/** A model that has little to say, unless it is asked for a story: then it speaks for two minutes. */
export const storyteller: ProviderScript = {
  pieces: ['All ', 'right.'],
  of: ({ messages }) =>
    JSON.stringify(messages.at(-1)).includes(STORY)
      ? { pieces: Array.from({ length: 1200 }, (_, index) => `word${index} `), betweenPiecesMs: 100 }
      : {},
};
