import { setTimeout as delay } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import {
  SOCKET_RECONNECT_JITTER,
  SOCKET_RECONNECT_MAX_MS,
  SOCKET_RECONNECT_MIN_MS,
  SOCKETS_PER_USER_MAX,
} from '../../src/contract/limits.ts';

/**
 * Holds sockets as browsers do, all watching one agent: `sockets.ts <url> <agent> <tokens as JSON> <count>`. Prints a
 * line of JSON for each piece of news: when all are connected, how an event spread, and when all have reconnected.
 */
const [url = '', agentId = '', tokens = '[]', count = '0'] = process.argv.slice(2);
const sockets: Socket[] = [];
/** Arrival times, by the event's content. */
const arrivals = new Map<string, number[]>();
let watching = 0;
const say = (news: object): void => console.log(JSON.stringify(news));

function open(token: string, index: number): void {
  const socket = io(url, {
    transports: ['websocket'],
    auth: { idToken: token },
    extraHeaders: { 'x-forwarded-for': `10.1.${Math.floor(index / 250)}.${(index % 250) + 1}` },
    reconnectionDelay: SOCKET_RECONNECT_MIN_MS,
    reconnectionDelayMax: SOCKET_RECONNECT_MAX_MS,
    randomizationFactor: SOCKET_RECONNECT_JITTER,
    forceNew: true,
  });
  socket.on('connect', () =>
    socket.emit('agent.watch', agentId, (is: boolean) => void (watching += Number(is))),
  );
  socket.on('disconnect', () => (watching -= 1));
  socket.on('knowledge.progress.update.result', (event: { knowledgeProgress: { items: object[] } }) => {
    const told = JSON.stringify(event.knowledgeProgress.items.at(-1));
    const heard = arrivals.get(told) ?? [];
    heard.push(performance.now());
    arrivals.set(told, heard);
  });
  sockets.push(socket);
}

const all = JSON.parse(tokens) as string[];
const began = performance.now();
for (let index = 0; index < Number(count); index += 1) {
  open(all[Math.floor(index / SOCKETS_PER_USER_MAX)] ?? '', index);
  if (index % 50 === 49) await delay(60);
}
while (watching < Number(count)) await delay(20);
say({ news: 'open', seconds: (performance.now() - began) / 1000 });

/** Each event reaches every socket: how long after the first do the others receive it? */
setInterval(() => {
  for (const [told, heard] of arrivals) {
    if (heard.length < Number(count)) continue;
    arrivals.delete(told);
    const first = Math.min(...heard);
    say({ news: 'heard', spreads: heard.map((at) => Math.round(at - first)) });
  }
}, 50);

let lostAt: number | undefined;
setInterval(() => {
  if (watching < Number(count)) lostAt ??= performance.now();
  else if (lostAt !== undefined) {
    arrivals.clear();
    say({ news: 'back', seconds: (performance.now() - lostAt) / 1000 });
    lostAt = undefined;
  }
}, 10);
