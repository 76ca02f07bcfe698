import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider';
import type { FilePart, ImagePart, ModelMessage, TextPart } from 'ai';

const UNREADABLE_FILE = '(A file that you cannot read was sent with this message.)';

type UserPart = TextPart | ImagePart | FilePart;

/**
 * What a provider is sent; `steps`: tool results since the last message. Without files, each is replaced by a note, so
 * that the model doesn't ignore it.
 */
export function promptOf(
  system: string,
  messages: ModelMessage[],
  { withFiles, steps = [] }: { withFiles: boolean; steps?: LanguageModelV4Message[] | undefined },
): LanguageModelV4Prompt {
  return [
    { role: 'system', content: system },
    ...messages.flatMap((message): LanguageModelV4Message[] => {
      const { role, content } = message;
      if (role === 'user') {
        const parts: UserPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
        return [{ role, content: parts.map((part) => userPart(part, withFiles)) }];
      }
      if (role === 'assistant') return [{ role, content: [{ type: 'text', text: textOf(content) }] }];
      return role === 'system' ? [{ role, content }] : [];
    }),
    ...steps,
  ];
}

export function hasFiles(messages: ModelMessage[]): boolean {
  return messages.some(
    ({ role, content }) =>
      role === 'user' && typeof content !== 'string' && content.some(({ type }) => type !== 'text'),
  );
}

function userPart(part: UserPart, withFiles: boolean) {
  if (part.type === 'text') return { type: 'text' as const, text: part.text };
  return withFiles ? filePart(part) : { type: 'text' as const, text: UNREADABLE_FILE };
}

function filePart(part: ImagePart | FilePart): LanguageModelV4FilePart {
  const content = part.type === 'image' ? part.image : part.data;
  const mediaType = part.mediaType ?? 'image';
  if (typeof content === 'string') return { type: 'file', mediaType, data: { type: 'data', data: content } };
  if (content instanceof Uint8Array)
    return { type: 'file', mediaType, data: { type: 'data', data: content } };
  if (content instanceof ArrayBuffer)
    return { type: 'file', mediaType, data: { type: 'data', data: new Uint8Array(content) } };
  // A provider is never asked to fetch an address for us.
  throw new TypeError('A file in a message must include its bytes.');
}

function textOf(content: Extract<ModelMessage, { role: 'assistant' }>['content']): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
