import '@fastify/rate-limit';
import type { Readable } from 'node:stream';
import { DataStore, Server, Upload, type Locker } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { idOf } from '../../contract/id.ts';
import {
  AGENT_FILE_MAX_BYTES,
  UPLOAD_LIFETIME_HOURS,
  UPLOAD_METADATA_MAX_BYTES,
  UPLOAD_NAME_MAX_CHARACTERS,
  UPLOADS_PER_HOUR_AND_ADDRESS,
} from '../../contract/limits.ts';
import { AppError, invalidField, notFound } from '../app-error.ts';
import type { Caller, MemberCaller } from '../call.ts';
import type { Locks } from '../storage/locks.ts';
import { requireAccess } from './bind.ts';
import { readRest, webBody } from './upload-body.ts';
import { uploadFailure } from './upload-failure.ts';

const PATH = '/v1/file/upload';
const CONTENT_TYPE = 'application/offset+octet-stream';
/** The headers the protocol reads and sends: nothing else passes. Its cross-origin headers are not ours. */
const askedHeaders = /^(tus-resumable|upload-.+|content-type|content-length)$/;
const answeredHeaders = /^(tus-.+|upload-.+|location|cache-control)$/;

interface UploadUnderWay {
  id: string;
  organizationId: string;
  name: string;
  sizeBytes: number;
  receivedBytes: number;
  createdAt: Date;
}

/** Uploads as the protocol sees them; implemented by `features/file/uploads.ts`. */
interface UploadsByTus<U extends UploadUnderWay> {
  locks: Locks;
  create: (
    caller: MemberCaller,
    given: { organizationId: string; name: string; sizeBytes: number; purpose?: 'agent' | undefined },
  ) => Promise<U>;
  find: (caller: MemberCaller, id: string) => Promise<U>;
  append: (upload: U, at: number, source: AsyncIterable<Uint8Array>) => Promise<number>;
  remove: (upload: U) => Promise<void>;
}

/**
 * Resumable uploads over tus 1.0.0 (https://tus.io/protocols/resumable-upload) with the extensions creation,
 * creation-with-upload, expiration and termination. Failures are problem documents as everywhere else.
 */
export async function serveUploads<U extends UploadUnderWay>(
  app: FastifyInstance,
  uploads: UploadsByTus<U>,
  identify: (request: FastifyRequest) => Promise<Caller>,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(CONTENT_TYPE, (_request, payload, done) => done(null, payload));
    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      reply.header('tus-resumable', '1.0.0');
      try {
        const caller = await identify(request);
        requireAccess({ access: 'member', visitors: false }, caller);
        return await speak(uploads, caller as MemberCaller, request, reply);
      } catch (error) {
        await readRest(request.raw, reply);
        throw error;
      }
    };
    const schema = { hide: true };
    const rateLimit = { max: UPLOADS_PER_HOUR_AND_ADDRESS, timeWindow: 3_600_000 };
    scope.post(PATH, { schema, config: { rateLimit } }, answer);
    scope.route({ method: ['HEAD', 'PATCH', 'DELETE'], url: `${PATH}/:uploadId`, schema, handler: answer });
    scope.options(PATH, { schema }, async (request, reply) => speak(uploads, undefined, request, reply));
  });
}

/** Lets the protocol library's server answer; one is created per request, so its store knows the caller. */
async function speak<U extends UploadUnderWay>(
  uploads: UploadsByTus<U>,
  caller: MemberCaller | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  requireReadable(request);
  let failure: unknown;
  const store = new CallersUploads(uploads, caller);
  const server = new Server({
    path: PATH,
    datastore: store,
    relativeLocation: true,
    maxSize: AGENT_FILE_MAX_BYTES,
    namingFunction: async (asked, metadata) => store.begin(asked.headers.get('upload-length'), metadata),
    locker: lockerOf(uploads.locks, store),
    onResponseError: (_asked, error) => {
      failure = error;
      return undefined;
    },
  });
  const response = await server.handleWeb(webRequest(request));
  if (response.status >= 400) throw uploadFailure(response.status, failure);
  for (const [name, value] of response.headers) if (answeredHeaders.test(name)) reply.header(name, value);
  return reply.code(response.status).send();
}

/** Only we create IDs, so a malformed one is unknown; a size must be exact to be compared. */
function requireReadable(request: FastifyRequest): void {
  const { uploadId } = request.params as { uploadId?: string };
  if (uploadId !== undefined && !idOf('upload').safeParse(uploadId).success) throw notFound();
  for (const name of ['upload-length', 'upload-offset']) {
    const value = request.headers[name];
    if (value !== undefined && !/^\d{1,15}$/.test(String(value)))
      throw new AppError('request/invalid', `${name} must be a number of bytes.`);
  }
  const metadata = request.headers['upload-metadata'];
  if (String(metadata ?? '').length > UPLOAD_METADATA_MAX_BYTES)
    throw new AppError(
      'request/invalid',
      `Upload-Metadata is longer than ${UPLOAD_METADATA_MAX_BYTES} bytes.`,
    );
}

function webRequest({ method, raw, headers: given, url }: FastifyRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given))
    if (askedHeaders.test(name) && value !== undefined) headers.set(name, String(value));
  const hasBody = given['content-type'] === CONTENT_TYPE && (method === 'PATCH' || method === 'POST');
  const body = hasBody ? { body: webBody(raw), duplex: 'half' } : {};
  return new Request(new URL(url, 'http://upload.invalid'), { method, headers, ...body });
}

/** One caller's uploads as the protocol's store. */
class CallersUploads<U extends UploadUnderWay> extends DataStore {
  override extensions = ['creation', 'creation-with-upload', 'expiration', 'termination'];
  readonly #uploads: UploadsByTus<U>;
  readonly #caller: MemberCaller | undefined;
  #begun: U | undefined;

  constructor(uploads: UploadsByTus<U>, caller: MemberCaller | undefined) {
    super();
    this.#uploads = uploads;
    this.#caller = caller;
  }

  /** Creates the upload when its ID is requested: a caller who may not create one is told before anything else happens. */
  async begin(length: string | null, metadata: Upload['metadata']): Promise<string> {
    const { organizationId, filename, purpose } = metadata ?? {};
    const id = idOf('organization').safeParse(organizationId);
    if (!id.success) throw invalidField('organizationId', 'Upload-Metadata must name the organizationId.');
    this.#begun = await this.#uploads.create(this.#known(), {
      organizationId: id.data,
      name: requireName(filename),
      sizeBytes: Number(length ?? Number.NaN),
      purpose: purpose === 'agent' ? purpose : undefined,
    });
    return this.#begun.id;
  }

  async find(id: string): Promise<U> {
    return this.#uploads.find(this.#known(), id);
  }

  override async getUpload(id: string): Promise<Upload> {
    const { sizeBytes, receivedBytes, organizationId, name, createdAt } = await this.find(id);
    const metadata = { organizationId, filename: name };
    const creation_date = createdAt.toISOString();
    return new Upload({ id, size: sizeBytes, offset: receivedBytes, metadata, creation_date });
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const upload = this.#begun ?? (await this.find(id));
    return this.#uploads.append(upload, offset, stream as AsyncIterable<Uint8Array>);
  }

  override async remove(id: string): Promise<void> {
    await this.#uploads.remove(await this.find(id));
  }

  override getExpiration(): number {
    return UPLOAD_LIFETIME_HOURS * 3_600_000;
  }

  #known(): MemberCaller {
    if (!this.#caller) throw new AppError('auth/unauthenticated');
    return this.#caller;
  }
}

function requireName(filename: string | null | undefined): string {
  // oxlint-disable-next-line no-control-regex -- controls are what is looked for
  if (!filename || filename.length > UPLOAD_NAME_MAX_CHARACTERS || /[\u0000-\u001f\u007f]/.test(filename))
    throw invalidField('filename', 'Upload-Metadata must give the filename, without control characters.');
  return filename;
}

/**
 * A caller who may not see an upload must not be able to interrupt it either, so access is checked before its lock is
 * requested.
 */
function lockerOf<U extends UploadUnderWay>(locks: Locks, store: CallersUploads<U>): Locker {
  return {
    newLock: (id) => {
      let letGo = async (): Promise<void> => {};
      return {
        lock: async (_signal, askHolder) => {
          await store.find(id);
          letGo = await locks.take(id, () => void askHolder());
        },
        unlock: () => letGo(),
      };
    },
  };
}
