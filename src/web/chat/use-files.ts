import { useEffect, useRef, useState } from 'react';
import type { Attachment } from '../../contract/chat.ts';
import { ApiError } from '../../contract/client.ts';
import { keepDraft, readDraft } from './drafts.ts';
import { objectionTo } from './attachable.ts';
import { newKey } from './new-key.ts';
import { readList } from './read-list.ts';
import { t } from './text.ts';
import type { FileTransport } from './types.ts';

/** A file to be attached to the next message. */
export interface ComingFile {
  key: number;
  /** Local to this tab until it has arrived. */
  id: string;
  name: string;
  mediaType: string;
  bytes: number;
  /** The picture's address; null for documents. */
  preview: string | null;
  state: 'sending' | 'ready' | 'failed';
  /** As stored; null if it can't be attached. */
  attachment: Attachment | null;
  error: string | undefined;
  stop: () => void;
}

/** Whether it can be retried without choosing it again. */
export const canComeAgain = ({ id, state, attachment }: ComingFile) =>
  state === 'failed' && attachment !== null && (held.has(id) || isArrived(id));

const isArrived = (id: string) => id.startsWith('att_');

export type Files = ReturnType<typeof useFiles>;

interface FilesSetup {
  transport: FileTransport | undefined;
  describeError: (error: unknown) => string;
  /** The key under which arrived files are kept until they are sent. */
  draftKey: string | undefined;
}

let lastKey = 0;

/**
 * Files that have not arrived, by ID. If the session ends in between, they can be uploaded again as long as the page is
 * not reloaded.
 */
const held = new Map<string, File>();

/**
 * The files of the message being composed; each is uploaded as soon as it is chosen. They survive a page reload, like
 * the draft: arrived files are looked up again, and missing ones are reported.
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

  useKept({ draftKey, files });
  const again = useBringing({ transport, describeError, files, change });

  /** `instead`: the key of a file that could not be attached. */
  const add = (chosen: Iterable<File>, instead?: number) => {
    const objections: string[] = [];
    const coming: ComingFile[] = [];
    const names = new Set([...chosen].map(({ name }) => name));
    // A failed file that is chosen again takes its former place.
    const stays = ({ key, state, name }: ComingFile) =>
      key !== instead && (state !== 'failed' || !names.has(name));
    const places = files.filter(stays).length;
    for (const file of chosen) {
      const wrong = objectionTo(file, places + coming.length);
      if (wrong) {
        objections.push(wrong);
        continue;
      }
      coming.push(begin(file));
    }
    setObjections(objections);
    setFiles((before) => [...before.filter(stays), ...coming]);
    coming.forEach(again);
  };

  const remove = (key: number) => {
    setObjections([]);
    files.filter((each) => each.key === key).forEach(forget);
    setFiles((before) => before.filter((each) => each.key !== key));
  };

  /** The arrived files go with the message; the next one starts without files. */
  const take = (): Attachment[] => {
    setObjections([]);
    for (const each of taken.current) if (!files.includes(each)) leave(each);
    taken.current = files;
    setFiles([]);
    return files.flatMap(({ attachment }) => attachment ?? []);
  };

  /** The message they belonged to was refused. */
  const putBack = () => setFiles(taken.current);

  return { files, objections, add, again, remove, take, putBack, offered: transport !== undefined };
}

function begin(file: File): ComingFile {
  const { name, type: mediaType, size: bytes } = file;
  const preview = mediaType.startsWith('image/') ? URL.createObjectURL(file) : null;
  const attachment = { id: newKey(), name, mediaType, bytes };
  held.set(attachment.id, file);
  return { ...blank(), ...attachment, preview, attachment };
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

function forget(file: ComingFile): void {
  leave(file);
  held.delete(file.id);
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

interface BringingSetup extends Omit<FilesSetup, 'draftKey'> {
  files: readonly ComingFile[];
  change: (key: number, changes: Partial<ComingFile>) => void;
}

/**
 * Looks up the files the page was opened with. The returned function uploads a local file, also as a retry, and looks
 * up an arrived one again.
 */
function useBringing({ transport, describeError, files, change }: BringingSetup) {
  const fail = (key: number, error: unknown, isOver: boolean) =>
    change(key, { state: 'failed', error: describeError(error), ...(isOver && { attachment: null }) });
  const bring = async ({ key, id }: ComingFile, file: File) => {
    const stopping = new AbortController();
    change(key, { state: 'sending', error: undefined, stop: () => stopping.abort() });
    try {
      const attachment = await transport?.add(file, stopping.signal);
      held.delete(id);
      if (attachment) change(key, { state: 'ready', attachment });
    } catch (error) {
      if (!stopping.signal.aborted) fail(key, error, isRefusal(error));
    }
  };
  const lookFor = async ({ key, mediaType, id }: ComingFile) => {
    try {
      const data = await transport?.read(id);
      if (data === null) change(key, gone());
      if (data) change(key, { state: 'ready', preview: mediaType.startsWith('image/') ? data : null });
    } catch (error) {
      if (isMissing(error)) change(key, gone());
      else fail(key, error, false);
    }
  };
  useEffect(() => {
    for (const each of files)
      if (isArrived(each.id)) void lookFor(each);
      else change(each.key, { state: 'failed', error: t('chat.fileHeld') });
    // The files the page was opened with, once.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return (each: ComingFile) => {
    const file = held.get(each.id);
    void (file ? bring(each, file) : lookFor(each));
  };
}

/** Keeps every file that can still be attached. When a conversation begins, they move to its own key. */
function useKept({ draftKey, files }: Pick<BringingSetup, 'files'> & Pick<FilesSetup, 'draftKey'>): void {
  const place = useRef(draftKey);
  useEffect(() => {
    if (draftKey === undefined) return;
    if (place.current !== undefined && place.current !== draftKey) keepDraft(placeOf(place.current), '');
    place.current = draftKey;
    const kept = files.flatMap(({ attachment }) => attachment ?? []);
    keepDraft(placeOf(draftKey), kept.length > 0 ? JSON.stringify(kept) : '');
  }, [draftKey, files]);
}

const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404;

/** The file is at fault, and would be rejected again. */
const isRefusal = (error: unknown) =>
  error instanceof ApiError && [400, 404, 409, 413, 415, 422].includes(error.status);

const gone = () => ({ state: 'failed', attachment: null, error: t('chat.fileGone') }) as const;
