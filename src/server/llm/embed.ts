/** A text as numbers, of length 1: two of one model are compared by their dot product. */
export type Vector = Float32Array;

export interface EmbedOptions {
  /** Some models read what is asked and what is searched in different ways. */
  purpose: 'passage' | 'question';
  signal?: AbortSignal | undefined;
}

/** A model that makes vectors of texts. */
export interface Embedder {
  /** Stored with each vector: vectors of another name are never compared with those of this one. */
  name: string;
  /** Most texts of one call. */
  batchSize: number;
  /** Undefined: not known before the first answer. */
  dimensions: () => number | undefined;
  /** A vector for each text, in order. Throws an `EmbeddingError` when there is none to be had. */
  embed: (texts: string[], options: EmbedOptions) => Promise<Vector[]>;
  close: () => Promise<void>;
}

/** Why there are no vectors, in words for whoever runs the agent. */
export class EmbeddingError extends Error {
  /** Milliseconds after which it is worth to ask again; undefined when asking again at once would not help. */
  readonly retryAfterMs: number | undefined;
  /** The texts were refused: others may be taken. */
  readonly isRefusal: boolean;

  constructor(
    message: string,
    {
      retryAfterMs,
      isRefusal = false,
      cause,
    }: { retryAfterMs?: number; isRefusal?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.retryAfterMs = retryAfterMs;
    this.isRefusal = isRefusal;
  }
}

/** What a model is asked for one call; it may answer anything. */
type RawEmbed = (texts: string[], options: EmbedOptions) => Promise<ArrayLike<number>[]>;

/** Lets nothing through that cannot be compared: each text has a vector, all as long as each other and of real numbers. */
export function checkedEmbed(
  raw: RawEmbed,
  expected: number | undefined,
): Pick<Embedder, 'embed' | 'dimensions'> {
  let dimensions = expected;
  return {
    dimensions: () => dimensions,
    embed: async (texts, options) => {
      const answered = await raw(texts, options);
      if (answered.length !== texts.length) {
        throw new EmbeddingError(
          `The embedding model gave ${answered.length} vectors for ${texts.length} texts.`,
        );
      }
      const size = dimensions ?? answered[0]?.length ?? 0;
      const vectors = answered.map((numbers) => unitOf(numbers, size));
      if (size > 0) dimensions = size;
      return vectors;
    },
  };
}

function unitOf(numbers: ArrayLike<number>, dimensions: number): Vector {
  if (numbers.length !== dimensions || dimensions === 0) {
    throw new EmbeddingError(
      `The embedding model gave a vector of ${numbers.length} numbers where ${dimensions} were expected.`,
    );
  }
  const vector = Float32Array.from(numbers);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!Number.isFinite(length) || length === 0)
    throw new EmbeddingError('The embedding model gave a vector that says nothing.', { isRefusal: true });
  return vector.map((value) => value / length);
}
