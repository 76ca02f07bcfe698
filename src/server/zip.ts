import { PassThrough, pipeline, Readable } from 'node:stream';
import yazl from 'yazl';

export interface ZipEntry {
  name: string;
  /** False for data that is already compressed. */
  compress: boolean;
  /** Called when its turn comes, so that one is open at a time. */
  open: () => Promise<Readable>;
}

/** A ZIP generated as it is read. When its reader disconnects, everything is closed. */
export function zipOf(entries: Iterable<ZipEntry>): Readable {
  const zip = new yazl.ZipFile();
  const out = new PassThrough();
  let opened: Readable | undefined;
  zip.on('error', (error: Error) => out.destroy(error));
  pipeline(zip.outputStream, out, () => {
    opened?.destroy();
  });
  for (const { name, compress, open } of entries) {
    zip.addReadStreamLazy(name, { compress }, (give) => {
      open().then(
        (stream) => {
          opened = stream;
          give(null, stream);
        },
        (error: unknown) => give(error, Readable.from([])),
      );
    });
  }
  zip.end();
  return out;
}
