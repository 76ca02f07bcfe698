import { sentiments, type Sentiment } from '../../../contract/sentiments.ts';
import { isId } from '../../../contract/id-format.ts';
import { pluginTypes } from '../../../contract/plugin-names.ts';

/** The filters for conversations, as in the address; days in the format of date inputs. */
export interface ConversationFilters {
  from?: string;
  to?: string;
  channel?: (typeof pluginTypes)[number];
  rating?: 'up' | 'down';
  confidence?: (typeof confidences)[number];
  unanswered?: true;
  topicId?: string;
  productId?: string;
  language?: string;
  sentiment?: Sentiment;
  quality?: (typeof qualities)[number];
}

export const confidences = [0.2, 0.4, 0.6, 0.8] as const;
export const qualities = [1, 2, 3, 4] as const;

/** Parses the filters from an address; invalid values are dropped. */
export function filtersOf(search: Record<string, unknown>): ConversationFilters {
  const {
    from,
    to,
    channel,
    rating,
    confidence,
    unanswered,
    topicId,
    productId,
    language,
    sentiment,
    quality,
  } = search;
  const known = pluginTypes.find((each) => each === channel);
  const below = confidences.find((each) => each === Number(confidence));
  const felt = sentiments.find((each) => each === sentiment);
  const most = qualities.find((each) => each === Number(quality));
  return {
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...(known && { channel: known }),
    ...((rating === 'up' || rating === 'down') && { rating }),
    ...(below && { confidence: below }),
    ...(String(unanswered) === 'true' && { unanswered: true as const }),
    ...(isId('topic', topicId) && { topicId: String(topicId) }),
    ...(isId('product', productId) && { productId: String(productId) }),
    ...(typeof language === 'string' && /^[a-z]{2}$/.test(language) && { language }),
    ...(felt && { sentiment: felt }),
    ...(most && { quality: most }),
  };
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
}

/** The filters as API input: days become times in the local time zone, the last day included. */
export function inputOf({ from, to, confidence, unanswered, quality, ...same }: ConversationFilters) {
  const last = to ? new Date(`${to}T00:00:00`) : null;
  last?.setDate(last.getDate() + 1);
  return {
    ...same,
    ...(from && { from: new Date(`${from}T00:00:00`).toISOString() }),
    ...(last && { to: last.toISOString() }),
    ...(confidence !== undefined && { confidenceBelow: confidence }),
    ...(quality !== undefined && { qualityAtMost: quality }),
    ...(unanswered && { unanswered: 'true' as const }),
  };
}
