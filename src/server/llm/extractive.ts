import type {
  LanguageModelV4,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { quoteBest } from './quote.ts';
import { readFallback, readFiles, readPassages, type PromptPassage } from './passages.ts';

/**
 * The index's own analyzer, for a question and the texts that may answer it. `subject` is the question without words that
 * only ask, and `asked` its terms; `termsOf` reduces words to stems and drops stop words.
 */
export type ReadAlike = (
  question: string,
  texts: string[],
) => { subject: string; asked: string[]; termsOf: (text: string) => string[] };

/** What it says if the prompt has no text of its own for that. */
const NOTHING_FOUND = "I don't have an answer to this in my knowledge.";

/**
 * A language model that writes nothing of its own: it quotes the sentences from the prompt's passages that best answer
 * the last question, each with its citation. Instant, free, offline, and an ordinary AI SDK model to its callers.
 */
export function createExtractiveModel(readAlike: ReadAlike): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'parley',
    modelId: 'extractive',
    supportedUrls: {},
    doGenerate: async ({ prompt }) => ({
      content: [{ type: 'text', text: answer(prompt, readAlike) }],
      finishReason: { unified: 'stop', raw: undefined },
      usage: noUsage,
      warnings: [],
    }),
    doStream: async ({ prompt }) => ({ stream: streamOf(answer(prompt, readAlike)) }),
  };
}

/** It reads and writes no tokens: quotations are not billed. */
const noUsage: LanguageModelV4Usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

function answer(prompt: LanguageModelV4Prompt, readAlike: ReadAlike): string {
  const system = prompt
    .filter((message) => message.role === 'system')
    .map((message) => message.content)
    .join('\n');
  const { files, said } = readFiles(lastQuestion(prompt));
  const quotes = quoteBest(said, [...readPassages(system), ...files.map(passageOf)], readAlike);
  if (quotes.length === 0) return readFallback(system) ?? NOTHING_FOUND;
  return quotes
    .map(({ text, number }) => (number > 0 ? `${text} [${number}]` : `${text} (${files[-number]?.name})`))
    .join('\n\n');
}

/** An attached document is quoted as well. It has no number to be cited by: none above 0. */
function passageOf({ name, text }: { name: string; text: string }, index: number): PromptPassage {
  return { number: -index, title: name, place: '', text };
}

function lastQuestion(prompt: LanguageModelV4Prompt): string {
  const last = prompt.findLast((message) => message.role === 'user');
  if (last?.role !== 'user') return '';
  return last.content.map((part) => (part.type === 'text' ? part.text : '')).join(' ');
}

/** Word by word, so that the reader sees it being written as with any other model. */
function streamOf(text: string): ReadableStream<LanguageModelV4StreamPart> {
  const words = text.match(/\S+\s*/g) ?? [text];
  return new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: [] });
      controller.enqueue({ type: 'text-start', id: '0' });
      for (const delta of words) controller.enqueue({ type: 'text-delta', id: '0', delta });
      controller.enqueue({ type: 'text-end', id: '0' });
      controller.enqueue({
        type: 'finish',
        finishReason: { unified: 'stop', raw: undefined },
        usage: noUsage,
      });
      controller.close();
    },
  });
}
