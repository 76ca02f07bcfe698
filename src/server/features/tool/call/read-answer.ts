import { TOOL_RESULT_MAX_CHARACTERS } from '../../../../contract/limits.ts';

/** Content types that are text; of others only size and type are reported. */
const isText =
  /^(text\/(?!html)|application\/([\w.-]{1,80}\+)?(json|xml|yaml|x-www-form-urlencoded|x-ndjson)\b)/i;
const isPage = /^text\/html\b/i;

export interface ServiceAnswer {
  status: number;
  contentType: string;
  /** The content, as far as it was read; a note if it is not text. */
  text: string;
}

/** Reads as much of a response as a model is given, and no more. */
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

/** Uses the character set named by the service, if it is a known one. */
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
    // Leaving the loop closes the connection.
    if (text.length > TOOL_RESULT_MAX_CHARACTERS) return cut(text);
  }
  return clean(text + decoder.decode());
}

function cut(text: string): string {
  return `${clean(text.slice(0, TOOL_RESULT_MAX_CHARACTERS))}\n(The rest was cut off.)`;
}

/** In a form the database can hold. */
function clean(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
