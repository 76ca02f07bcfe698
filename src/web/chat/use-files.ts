import { useEffect, useRef, useState } from 'react';
import type { Attachment } from '../../contract/chat.ts';
import { objectionTo } from './attachable.ts';
import type { FileTransport } from './types.ts';

/** A file that is to come along with the next message. */
export interface ComingFile {
  key: number;
  file: File;
  /** An address of the picture for as long as the page is open; null for documents. */
  preview: string | null;
  state: 'sending' | 'ready' | 'failed';
  attachment: Attachment | null;
  error: string | undefined;
  stop: () => void;
}

export type Files = ReturnType<typeof useFiles>;

let lastKey = 0;

/** The files of the message that is being composed; each is on its way to the server as soon as it is chosen. */
export function useFiles(transport: FileTransport | undefined, describeError: (error: unknown) => string) {
  const [files, setFiles] = useState<readonly ComingFile[]>([]);
  const [objections, setObjections] = useState<readonly string[]>([]);
  const shown = useRef(files);
  const taken = useRef(files);
  useEffect(() => {
    shown.current = files;
  }, [files]);
  useEffect(() => () => [...shown.current, ...taken.current].forEach(leave), []);

  const change = (key: number, changes: Partial<ComingFile>) =>
    setFiles((before) => before.map((each) => (each.key === key ? { ...each, ...changes } : each)));

  const bring = ({ key, file }: ComingFile, signal: AbortSignal) =>
    transport?.add(file, signal).then(
      (attachment) => change(key, { state: 'ready', attachment }),
      (error: unknown) => signal.aborted || change(key, { state: 'failed', error: describeError(error) }),
    );

  const add = (chosen: Iterable<File>) => {
    const objections: string[] = [];
    const coming: ComingFile[] = [];
    for (const file of chosen) {
      const wrong = objectionTo(file, files.length + coming.length);
      if (wrong) {
        objections.push(wrong);
        continue;
      }
      const stopping = new AbortController();
      const next = begin(file, () => stopping.abort());
      coming.push(next);
      void bring(next, stopping.signal);
    }
    setObjections(objections);
    setFiles((before) => [...before, ...coming]);
  };

  const remove = (key: number) => {
    setObjections([]);
    for (const each of files) if (each.key === key) leave(each);
    setFiles((before) => before.filter((each) => each.key !== key));
  };

  /** What has arrived goes with the message; the next one begins without files. */
  const take = (): Attachment[] => {
    setObjections([]);
    for (const each of taken.current) if (!files.includes(each)) leave(each);
    taken.current = files;
    setFiles([]);
    return files.flatMap(({ attachment }) => attachment ?? []);
  };

  /** The message that they went with was not taken. */
  const putBack = () => setFiles(taken.current);

  return { files, objections, add, remove, take, putBack, offered: transport !== undefined };
}

function begin(file: File, stop: () => void): ComingFile {
  lastKey += 1;
  const preview = file.type.startsWith('image/') ? URL.createObjectURL(file) : null;
  return { key: lastKey, file, preview, state: 'sending', attachment: null, error: undefined, stop };
}

function leave({ preview, stop }: ComingFile): void {
  stop();
  if (preview) URL.revokeObjectURL(preview);
}
