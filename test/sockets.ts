import { io, type Socket } from 'socket.io-client';
import type { Product } from './product.ts';

/** A socket like the browser application's, but without reconnecting. */
export function openSocket(
  product: Product,
  auth: Record<string, unknown>,
  extraHeaders: Record<string, string> = {},
): Socket {
  return io(product.url, {
    transports: ['websocket'],
    auth,
    extraHeaders,
    reconnection: false,
    forceNew: true,
  });
}

/** `connected`, or why not. */
export function outcomeOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    if (socket.connected) resolve('connected');
    socket.on('connect', () => resolve('connected'));
    socket.on('connect_error', ({ message }) => resolve(message));
  });
}
