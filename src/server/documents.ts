import type { makePicture } from './images/make-photo.ts';

/** A file as it is kept. */
export interface OpenedFile {
  name: string;
  mediaType: string;
  data: Buffer;
  /** What can be read in a document; null for a picture. */
  text: string | null;
}

/** Files that people bring into a conversation: judged by their content, read apart from the server's own process. */
export interface Documents {
  /**
   * A picture is drawn anew; of a document the first `maxCharacters` are read. Errors: 400 for kinds that nothing here
   * reads and for what cannot be read, with the reason in words; those of `makePicture`.
   */
  open: (media: Blob, maxCharacters: number) => Promise<OpenedFile>;
}

interface Readers {
  nameOf: (given: string) => string;
  typeOf: (name: string, data: Buffer) => string;
  readText: (mediaType: string, data: Buffer) => Promise<string>;
  makePicture: typeof makePicture;
}

/** Pictures are made no larger than models look at. */
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
