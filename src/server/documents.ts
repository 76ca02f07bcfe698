import type { makePicture } from './images/make-photo.ts';

/** A file in the form it is stored in. */
export interface OpenedFile {
  name: string;
  mediaType: string;
  data: Buffer;
  /** A document's text; null for a picture. */
  text: string | null;
}

/** Files that people add to a conversation: identified by content, and parsed outside the server's own process. */
export interface Documents {
  /**
   * A picture is re-encoded; of a document the first `maxCharacters` are read. Errors: 400 for unsupported kinds and
   * unreadable files, with the reason in words; those of `makePicture`.
   */
  open: (media: Blob, maxCharacters: number) => Promise<OpenedFile>;
}

interface Readers {
  nameOf: (given: string) => string;
  typeOf: (name: string, data: Buffer) => string;
  readText: (mediaType: string, data: Buffer) => Promise<string>;
  makePicture: typeof makePicture;
}

/** No larger than models process. */
const PICTURE_MAX_PIXELS = 1568;

export function createDocuments({ nameOf, typeOf, readText, makePicture }: Readers): Documents {
  return {
    open: async (media, maxCharacters) => {
      const data = Buffer.from(await media.arrayBuffer());
      const name = nameOf(media instanceof File ? media.name : '');
      if (isPicture(data)) {
        const drawn = await makePicture(data, PICTURE_MAX_PIXELS);
        return { name, mediaType: 'image/webp', data: drawn, text: null };
      }
      const mediaType = typeOf(name, data);
      const text = await readText(mediaType, data);
      return { name, mediaType, data, text: text.slice(0, maxCharacters).toWellFormed() };
    },
  };
}

const signatures = ['89504e47', 'ffd8ff', '47494638'].map((hex) => Buffer.from(hex, 'hex'));

/** PNG, JPEG, GIF and WebP, by their first bytes. */
function isPicture(data: Buffer): boolean {
  const isWebp = data.toString('latin1', 0, 4) === 'RIFF' && data.toString('latin1', 8, 12) === 'WEBP';
  return isWebp || signatures.some((signature) => data.subarray(0, signature.length).equals(signature));
}
