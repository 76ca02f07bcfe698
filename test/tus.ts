import type { Product } from './product.ts';

/** Requests of the tus protocol as a person sends them, without a client that would repair or hide anything. */
interface TusRequest {
  method: string;
  /** An ID, or what replaces it. */
  path?: string;
  headers?: Record<string, string>;
  body?: BodyInit | undefined;
  signal?: AbortSignal;
}

export function tusOf(product: Product, person: string) {
  const send = async ({ method, path = '', headers = {}, body, signal }: TusRequest): Promise<Response> => {
    const { idToken } = await product.sessionOf(person);
    return fetch(`${product.url}/v1/file/upload${path === '' ? '' : `/${path}`}`, {
      method,
      headers: {
        'tus-resumable': '1.0.0',
        authorization: `Bearer ${idToken}`,
        ...(method === 'PATCH' ? { 'content-type': 'application/offset+octet-stream' } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body, duplex: 'half' }),
      ...(signal ? { signal } : {}),
    });
  };
  const create = (organizationId: string, size: number | string, filename = 'notes.txt', more = {}) =>
    send({
      method: 'POST',
      headers: {
        'upload-length': String(size),
        'upload-metadata': metadata({ organizationId, filename }),
        ...more,
      },
    });
  return {
    send,
    create,
    /** Returns the ID of a new upload. */
    begin: async (
      organizationId: string,
      size: number,
      filename = 'notes.txt',
      purpose?: string,
    ): Promise<string> => {
      const said = metadata({ organizationId, filename, ...(purpose ? { purpose } : {}) });
      const response = await create(organizationId, size, filename, { 'upload-metadata': said });
      if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
      return response.headers.get('location')?.split('/').at(-1) ?? '';
    },
    patch: (id: string, offset: number, body: BodyInit, signal?: AbortSignal) =>
      send({
        method: 'PATCH',
        path: id,
        headers: { 'upload-offset': String(offset) },
        body,
        ...(signal ? { signal } : {}),
      }),
    offset: async (id: string): Promise<number> => {
      const response = await send({ method: 'HEAD', path: id });
      return response.ok ? Number(response.headers.get('upload-offset')) : -response.status;
    },
  };
}

export function metadata(fields: Record<string, string>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

/** Text in which every section is distinguishable. */
export function textOf(size: number): Buffer<ArrayBuffer> {
  const text = Buffer.alloc(size, ' ');
  for (let at = 0; at + 12 <= size; at += 16) text.write(`line ${at}\n`, at);
  return text;
}
