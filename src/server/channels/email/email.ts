import * as z from 'zod';
import { pluginShapes } from '../../../contract/plugin-types.ts';
import type { Resolve } from '../../egress/target.ts';
import type { Channel } from '../channel.ts';
import { openMailbox } from './mailbox.ts';

export interface EmailOptions {
  /** The installation's own server, for plugins that specify none; undefined: it has none. */
  smtpUrl: string | undefined;
  /** `host:port` pairs that a member may use as a mail server although they are private. */
  allowedHosts: string[];
  /** For tests of name resolution; default: the system's resolver. */
  resolve?: Resolve;
}

/** An answer by email is one mail, however long. */
const PART_MAX_CHARACTERS = 100_000;

/**
 * Email: whatever receives mail for an address (a mail service or the operator's own server) forwards it here, and
 * answers go out over SMTP. A thread is identified by its first mail: `place` is that mail's id, the person's address
 * and the subject.
 */
export function createEmail(options: EmailOptions): Channel {
  return {
    ownSecrets: ['inboundSecret'],
    verifyToken: 'inboundSecret',
    open: ({ settings, credentials: { inboundSecret = '', smtpUrl } }) => {
      const { address, name } = pluginShapes.email.settings.parse(settings);
      const mailbox = openMailbox({ address, name }, smtpUrl, options);
      return {
        partMaxCharacters: PART_MAX_CHARACTERS,
        receive: async (request) => {
          // The mail parsers are loaded with the first mail.
          const { isFromService, readIncoming } = await import('./incoming.ts');
          if (!isFromService(request, inboundSecret))
            return { response: new Response('Unauthorized', { status: 401 }), messages: [] };
          const message = await readIncoming(request, address);
          return message === 'unreadable'
            ? { response: new Response('This is not an e-mail message.', { status: 400 }), messages: [] }
            : { response: new Response('OK'), messages: message ? [message] : [] };
        },
        send: ({ place, replyTo }, markdown) => mailbox.answer({ ...placeOf(place), replyTo }, markdown),
        readFile: async (reference) => Buffer.from(reference, 'base64'),
        // Email has no typing indicator.
        showTyping: async () => undefined,
        connect: async () => {
          await mailbox.verify();
          return { accountName: address };
        },
        leave: async () => undefined,
      };
    },
  };
}

const Place = z.tuple([z.string(), z.string(), z.string()]);

function placeOf(place: string): { root: string; recipient: string; subject: string } {
  const [root, recipient, subject] = Place.parse(JSON.parse(place));
  return { root, recipient, subject };
}
