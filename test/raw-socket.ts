import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A WebSocket that follows no rules: arbitrary frames, and what came back. */
export interface RawSocket {
  /** 101 if it is open. */
  status: number;
  /** The texts of the received frames, in order. */
  received: string[];
  isOpen: () => boolean;
  send: (payload: string | Buffer, opcode?: number) => void;
  /** Bytes that need not be a frame. */
  write: (bytes: Buffer) => void;
  close: () => void;
}

const TEXT = 1;
const SOCKET_PATH = '/socket.io/?EIO=4&transport=websocket';

export async function openRawSocket(
  url: string,
  { path = SOCKET_PATH, headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<RawSocket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  const lines = Object.entries({
    host: 'localhost',
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const received: string[] = [];
  const status = await readHead(socket, received);
  return {
    status,
    received,
    isOpen: () => !socket.destroyed && socket.readable,
    send: (payload, opcode = TEXT) => socket.write(frameOf(Buffer.from(payload), opcode)),
    write: (bytes) => socket.write(bytes),
    close: () => socket.destroy(),
  };
}

/** The response's status; anything after its head is parsed as frames. Zero for a connection that was only closed. */
function readHead(socket: Socket, received: string[]): Promise<number> {
  return new Promise((resolve) => {
    let rest: Buffer = Buffer.alloc(0);
    let isInFrames = false;
    socket.on('close', () => resolve(0));
    socket.on('data', (data: Buffer) => {
      rest = Buffer.concat([rest, data]);
      const end = rest.indexOf('\r\n\r\n');
      if (!isInFrames) {
        if (end < 0) return;
        isInFrames = true;
        resolve(Number(rest.toString('latin1', 9, 12)));
        rest = rest.subarray(end + 4);
      }
      rest = takeFrames(rest, received);
    });
  });
}

/** A server's frames are not masked. The remainder is the start of a frame. */
function takeFrames(bytes: Buffer, received: string[]): Buffer {
  let rest = bytes;
  while (rest.length >= 2) {
    const isLong = ((rest[1] ?? 0) & 127) === 126;
    if (isLong && rest.length < 4) break;
    const start = isLong ? 4 : 2;
    const end = start + (isLong ? rest.readUInt16BE(2) : (rest[1] ?? 0) & 127);
    if (rest.length < end) break;
    if (((rest[0] ?? 0) & 15) === TEXT) received.push(rest.toString('utf8', start, end));
    rest = rest.subarray(end);
  }
  return rest;
}

/** A client's frames are. */
function frameOf(payload: Buffer, opcode: number): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | (length < 126 ? length : length < 65_536 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  // A zero mask leaves the payload unchanged.
  return Buffer.concat([head, Buffer.alloc(4), payload]);
}
