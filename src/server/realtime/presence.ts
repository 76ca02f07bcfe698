import type { Server, Socket } from 'socket.io';
import type { ClientEvents, Here, PresentMember, ServerEvents } from '../../contract/events.ts';
import { PRESENCE_CHECK_MS } from '../../contract/limits.ts';
import type { UserCaller } from '../call.ts';

/**
 * Who is in an inbox, and at which of its conversations. Nothing is stored: presence is what sockets report while they
 * are open.
 */

/** What other processes also know of a socket. */
export interface PresenceData {
  bearer: { caller: UserCaller };
  presence?: Here & { member: Omit<PresentMember, 'isWriting'> };
}

type Sockets = Server<ClientEvents, ServerEvents, Record<never, never>, PresenceData>;
type OneSocket = Socket<ClientEvents, ServerEvents, Record<never, never>, PresenceData>;

export interface PresenceOptions {
  /** The member; undefined for someone who may not see this inbox, or this conversation in it. */
  memberAt: (
    caller: UserCaller,
    place: Pick<Here, 'organizationId' | 'conversationId'>,
  ) => Promise<Omit<PresentMember, 'isWriting'> | undefined>;
}

const inboxRoom = (organizationId: string) => `inbox:${organizationId}`;
const conversationRoom = (conversationId: string) => `present:${conversationId}`;

/**
 * Tells members about each other. Joining a room requires a permission check, which is repeated while they are in it.
 * Closing a tab ends presence with its socket; what a dead process failed to report is corrected at the next check.
 */
export function servePresence(io: Sockets, socket: OneSocket, { memberAt }: PresenceOptions): void {
  let checking: NodeJS.Timeout | undefined;
  // Serialized: the last update counts.
  let turn = Promise.resolve();
  const inTurn = (work: () => Promise<void>): void => {
    turn = turn.then(work).catch(() => undefined);
  };
  const leave = async (): Promise<void> => {
    const { presence } = socket.data;
    clearInterval(checking);
    delete socket.data.presence;
    if (!presence) return;
    for (const room of roomsOf(presence)) await socket.leave(room);
    await tell(io, presence);
  };
  const enter = async (here: Here): Promise<void> => {
    const member = await memberAt(socket.data.bearer.caller, here);
    const before = socket.data.presence;
    // A socket that has closed meanwhile is in no room and must not join one.
    if (!member || !socket.connected) return leave();
    if (before && !isSamePlace(before, here)) await leave();
    socket.data.presence = { ...here, member };
    await socket.join(roomsOf(here));
    if (!before || !isSamePlace(before, here)) {
      clearInterval(checking);
      checking = setInterval(() => inTurn(() => enterAgain()), PRESENCE_CHECK_MS);
    }
    await tell(io, here);
  };
  const enterAgain = async (): Promise<void> => {
    const { presence } = socket.data;
    if (presence) await enter(placeOf(presence));
  };
  socket.on('inbox.here', (here) => {
    if (!isHere(here)) return socket.disconnect(true);
    inTurn(() => enter(placeOf(here)));
  });
  socket.on('inbox.left', () => inTurn(leave));
  socket.on('disconnect', () => inTurn(leave));
}

/** Drops any extra fields a client sent. */
const placeOf = ({ organizationId, conversationId, isWriting }: Here): Here => ({
  organizationId,
  conversationId,
  isWriting,
});

function isHere(value: unknown): value is Here {
  if (typeof value !== 'object' || value === null) return false;
  const { organizationId, conversationId, isWriting } = value as Record<string, unknown>;
  const isPlace = conversationId === null || typeof conversationId === 'string';
  return typeof organizationId === 'string' && isPlace && typeof isWriting === 'boolean';
}

const isSamePlace = (one: Here, other: Here): boolean =>
  one.organizationId === other.organizationId && one.conversationId === other.conversationId;

const roomsOf = ({ organizationId, conversationId }: Here): string[] => [
  inboxRoom(organizationId),
  ...(conversationId === null ? [] : [conversationRoom(conversationId)]),
];

/** Tells everyone in the inbox, on every process, who is in it and at the conversation. */
async function tell(io: Sockets, { organizationId, conversationId }: Here): Promise<void> {
  const sockets = await io.in(inboxRoom(organizationId)).fetchSockets();
  const present = sockets.flatMap(({ data: { presence } }) => presence ?? []);
  const online = [...new Map(present.map(({ member }) => [member.id, member])).values()];
  io.to(inboxRoom(organizationId)).emit('inbox.online', { organizationId, online });
  if (conversationId === null) return;
  const members = new Map<string, PresentMember>();
  for (const each of present)
    if (each.conversationId === conversationId) {
      const isWriting = each.isWriting || (members.get(each.member.id)?.isWriting ?? false);
      members.set(each.member.id, { ...each.member, isWriting });
    }
  io.to(conversationRoom(conversationId)).emit('inbox.present', {
    conversationId,
    members: [...members.values()],
  });
}
