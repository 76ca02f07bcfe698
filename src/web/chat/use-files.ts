import { useEffect, useRef, useState } from 'react';
import type { Attachment } from '../../contract/chat.ts';
import { ApiError } from '../../contract/client.ts';
import { keepDraft, readDraft } from '../drafts.ts';
import { objectionTo } from './attachable.ts';
import { readList } from './read-list.ts';
import { t } from './text.ts';
import type { FileTransport } from './types.ts';

/** A file that is to come along with the next message. */
export interface ComingFile {
  key: number;
  name: string;
  mediaType: string;
  bytes: number;
  /** An address of the picture; null for documents. */
  preview: string | null;
  state: 'sending' | 'ready' | 'failed';
  attachment: Attachment | null;
  error: string | undefined;
  stop: () => void;
}

export type Files = ReturnType<typeof useFiles>;

interface FilesSetup {
  transport: FileTransport | undefined;
  describeError: (error: unknown) => string;
  /** What has arrived is kept under it until it is sent. */
  draftKey: string | undefined;
}

let lastKey = 0;

/**
 * The files of the message that is being composed; each is on its way to the server as soon as it is chosen. What has arrived there outlives a
 * reload of the page, as what is typed does: it is looked for again.
 */
export function useFiles({ transport, describeError, draftKey }: FilesSetup) {
  const [files, setFiles] = useState(() => keptFiles(draftKey));
  const [objections, setObjections] = useState<readonly string[]>([]);
  const shown = useRef(files);
  const taken = useRef(files);
  useEffect(() => {
    shown.current = files;
  }, [files]);
  useEffect(() => () => [...shown.current, ...taken.current].forEach(leave), []);

  const change = (key: number, changes: Partial<ComingFile>) =>
    setFiles((before) => before.map((each) => (each.key === key ? { ...each, ...changes } : each)));

  useKept({ transport, describeError, draftKey, files, change });

  const bring = (key: number, file: File, signal: AbortSignal) =>
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
      void bring(next.key, file, stopping.signal);
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
  const { name, type: mediaType, size: bytes } = file;
  const preview = mediaType.startsWith('image/') ? URL.createObjectURL(file) : null;
  return { ...blank(), name, mediaType, bytes, preview, stop };
}

function blank() {
  lastKey += 1;
  return {
    key: lastKey,
    preview: null,
    state: 'sending',
    attachment: null,
    error: undefined,
    stop: () => undefined,
  } as const;
}

function leave({ preview, stop }: ComingFile): void {
  stop();
  if (preview) URL.revokeObjectURL(preview);
}

const placeOf = (draftKey: string) => `files ${draftKey}`;

function keptFiles(draftKey: string | undefined): readonly ComingFile[] {
  const kept = draftKey === undefined ? '' : readDraft(placeOf(draftKey));
  return readList<Attachment>(kept, 'id').map((attachment) => ({
    ...blank(),
    ...attachment,
    attachment,
  }));
}

interface KeptSetup extends FilesSetup {
  files: readonly ComingFile[];
  change: (key: number, changes: Partial<ComingFile>) => void;
}

/** Looks for those with which the page was opened, and keeps what has arrived. A conversation that is begun takes it along to its own key. */
function useKept({ transport, describeError, draftKey, files, change }: KeptSetup): void {
  const lookFor = ({ key, mediaType, attachment }: ComingFile) =>
    transport?.read(attachment?.id ?? '').then(
      (data) => {
        if (data === null) return change(key, gone());
        change(key, { state: 'ready', preview: mediaType.startsWith('image/') ? data : null });
      },
      (error: unknown) =>
        change(key, isMissing(error) ? gone() : { state: 'failed', error: describeError(error) }),
    );
  useEffect(() => {
    for (const each of files) void lookFor(each);
    // Those with which the page was opened, once.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  const kept = useRef(draftKey);
  useEffect(() => {
    if (draftKey === undefined) return;
    if (kept.current !== undefined && kept.current !== draftKey) keepDraft(placeOf(kept.current), '');
    kept.current = draftKey;
    const arrived = files.flatMap(({ attachment }) => attachment ?? []);
    keepDraft(placeOf(draftKey), arrived.length > 0 ? JSON.stringify(arrived) : '');
  }, [draftKey, files]);
}

const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404;

const gone = () => ({ state: 'failed', attachment: null, error: t('chat.fileGone') }) as const;
