import { AppError } from '../../app-error.ts';

interface Kind {
  mediaType: string;
  extension: string;
  is: (data: Buffer) => boolean;
}

const at = (data: Buffer, offset: number, text: string): boolean =>
  data.toString('latin1', offset, offset + text.length) === text;

/** The formats browsers and phones record in. */
const kinds: Kind[] = [
  { mediaType: 'audio/webm', extension: 'webm', is: (data) => at(data, 0, '\x1aE\xdf\xa3') },
  { mediaType: 'audio/ogg', extension: 'ogg', is: (data) => at(data, 0, 'OggS') },
  { mediaType: 'audio/mp4', extension: 'm4a', is: (data) => at(data, 4, 'ftyp') },
  { mediaType: 'audio/wav', extension: 'wav', is: (data) => at(data, 0, 'RIFF') && at(data, 8, 'WAVE') },
  { mediaType: 'audio/mpeg', extension: 'mp3', is: (data) => at(data, 0, 'ID3') || isMpegFrame(data) },
];

/** Eleven bits set, then a version and a layer that exist; AAC in the same framing (layer 0) can't be told apart. */
function isMpegFrame(data: Buffer): boolean {
  const [first = 0, second = 0] = data;
  return first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x18) !== 0x08 && (second & 0x06) !== 0;
}

export interface Sound {
  data: Buffer;
  mediaType: string;
  extension: string;
}

/** Judged by content, not by what the sender claims. Errors: `storage/file-type` for anything but a recording. */
export async function recordingOf(media: Blob): Promise<Sound> {
  const data = Buffer.from(await media.arrayBuffer());
  const kind = kinds.find(({ is }) => is(data));
  if (!kind) {
    throw new AppError('storage/file-type', 'A recording is a WebM, Ogg, MP4, MP3 or WAV file with sound.');
  }
  return { data, mediaType: kind.mediaType, extension: kind.extension };
}
