import { TOOL_RESULT_MAX_CHARACTERS } from '../../../../contract/limits.ts';

/** Kinds of answers that are text; of the rest only its size and kind are told. */
const isText =
  /^(text\/(?!html)|application\/([\w.-]{1,80}\+)?(json|xml|yaml|x-www-form-urlencoded|x-ndjson)\b)/i;
const isPage = /^text\/html\b/i;

export interface ServiceAnswer {
  status: number;
  contentType: string;
  /** What came of it, as far as it is read; a note where it is no text. */
  text: string;
}

/** Reads an answer as far as a model is given of it, and no further. */
export async function readAnswer(response: Response): Promise<ServiceAnswer> {
  const { status, body, headers } = response;
  const contentType = headers.get('content-type') ?? '';
  const encoding = headers.get('content-encoding') ?? 'identity';
  const isReadable = contentType === '' || isText.test(contentType) || isPage.test(contentType);
  if (body && (!isReadable || encoding !== 'identity')) {
    await body.cancel().catch(() => undefined);
    const kind = contentType.split(';', 1)[0]?.slice(0, 100) ?? '';
    const why = isReadable ? 'compressed, which was not asked for' : `of the kind ${kind}, which is no text`;
    return { status, contentType, text: `(An answer ${why}.)` };
  }
  return { status, contentType, text: body ? await readText(body, decoderOf(contentType)) : '' };
}

/** By the character set that the service names, as far as it is one that is known. */
function decoderOf(contentType: string): TextDecoder {
  const [, charset = 'utf-8'] = /;\s*charset="?([\w-]{1,40})/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

async function readText(body: ReadableStream<Uint8Array>, decoder: TextDecoder): Promise<string> {
  let text = '';
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true });
    // Leaving the loop ends the connection.
    if (text.length > TOOL_RESULT_MAX_CHARACTERS) return cut(text);
  }
  return clean(text + decoder.decode());
}

function cut(text: string): string {
  return `${clean(text.slice(0, TOOL_RESULT_MAX_CHARACTERS))}\n(The rest was cut off.)`;
}

/** As the database can hold it. */
function clean(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
