/** A text as numbers, of length 1: two vectors of one model are compared by dot product. */
export type Vector = Float32Array;

export interface EmbedOptions {
  /** Some models encode questions and searched passages differently. */
  purpose: 'passage' | 'question';
  signal?: AbortSignal | undefined;
}

/** A model that turns texts into vectors. */
export interface Embedder {
  /** Stored with each vector: vectors with different names are never compared. */
  name: string;
  /** The most texts per call. */
  batchSize: number;
  /** Undefined: unknown before the first answer. */
  dimensions: () => number | undefined;
  /** A vector for each text, in order. Throws an `EmbeddingError` if it can't provide any. */
  embed: (texts: string[], options: EmbedOptions) => Promise<Vector[]>;
  close: () => Promise<void>;
}

/** Why there are no vectors, in words for the agent's operator. */
export class EmbeddingError extends Error {
  /** Milliseconds after which a retry is worthwhile; undefined if retrying soon wouldn't help. */
  readonly retryAfterMs: number | undefined;
  /** The texts were rejected: others may be accepted. */
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

/** One call to a model; it may answer anything. */
type RawEmbed = (texts: string[], options: EmbedOptions) => Promise<ArrayLike<number>[]>;

/** Rejects anything that can't be compared: every text must have a vector, all of equal length and of real numbers. */
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
    throw new EmbeddingError('The embedding model returned an empty vector.', { isRefusal: true });
  return vector.map((value) => value / length);
}
