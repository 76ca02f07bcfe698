/** How an end user seems to feel; without a schema, because pages use it too. */
export const sentiments = ['positive', 'neutral', 'negative'] as const;
export type Sentiment = (typeof sentiments)[number];
