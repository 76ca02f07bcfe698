import type { Transporter } from 'nodemailer';
import { AppError } from '../../app-error.ts';
import { checkedHost, resolveBySystem } from '../../egress/target.ts';
import type { EmailOptions } from './email.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** The mail being answered. */
interface Answered {
  /** Ids of the mail that started the thread, and of this one. */
  root: string;
  replyTo: string | null;
  recipient: string;
  subject: string;
}

interface Mailbox {
  /** Errors: `channel/refused`, `channel/unavailable`. */
  answer: (to: Answered, markdown: string) => Promise<void>;
  /** The server is reachable and accepts our credentials. Errors: as for `answer`. */
  verify: () => Promise<void>;
}

/** Sends as `from`, over the member's server or the installation's. */
export function openMailbox(
  from: { address: string; name: string },
  smtpUrl: string | undefined,
  options: EmailOptions,
): Mailbox {
  const within = async (work: (transport: Transporter) => Promise<unknown>): Promise<void> => {
    const transport = await openTransport(smtpUrl, options);
    try {
      await work(transport).catch(asFailure);
    } finally {
      transport.close();
    }
  };
  return {
    verify: () => within((transport) => transport.verify()),
    answer: ({ root, replyTo, recipient, subject }, markdown) =>
      within(async (transport) =>
        transport.sendMail({
          from,
          // An object, never a string: a recipient can't smuggle in another.
          to: { name: '', address: recipient },
          subject: subject === '' ? 'Re:' : `Re: ${subject}`,
          inReplyTo: replyTo ?? root,
          references: replyTo === null || replyTo === root ? [root] : [root, replyTo],
          // Keeps other machines from replying to it.
          headers: { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' },
          text: markdown,
          html: await htmlOf(markdown),
          disableFileAccess: true,
          disableUrlAccess: true,
        }),
      ),
  };
}

/** HTML in the text is shown literally, and links lead only to pages or mail: the library's own rule. */
async function htmlOf(markdown: string): Promise<string> {
  const [{ micromark }, { gfm, gfmHtml }] = await Promise.all([
    import('micromark'),
    import('micromark-extension-gfm'),
  ]);
  return micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
}

/** A member's server must be public, is connected to at the address that was checked, and never without encryption. */
async function openTransport(
  smtpUrl: string | undefined,
  { smtpUrl: own, allowedHosts, resolve = resolveBySystem }: EmailOptions,
): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  if (smtpUrl === undefined) {
    if (own === undefined)
      throw new AppError('channel/refused', 'This installation sends no mail. Enter a mail server.');
    return createTransport(own);
  }
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const secure = protocol === 'smtps:';
  const number = Number(port || (secure ? 465 : 587));
  const { addresses, isAllowed } = await checkedHost(hostname, number, new Set(allowedHosts), resolve).catch(
    asFailure,
  );
  return createTransport({
    host: addresses[0] ?? hostname,
    port: number,
    secure,
    requireTLS: !secure && !isAllowed,
    tls: { servername: hostname },
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: 3 * CONNECT_TIMEOUT_MS,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  });
}

const notAllowed =
  'This mail server is not allowed: its address is not public, or its port is not a mail port. An operator can allow it with SSRF_ALLOWED_HOSTS.';

/** A server's 5xx and a wrong password are permanent; anything else may succeed later. */
function asFailure(error: unknown): never {
  if (error instanceof AppError && error.code === 'egress/url-not-allowed')
    throw new AppError('channel/refused', notAllowed);
  if (error instanceof AppError) throw error;
  const { code, responseCode, response } = error as {
    code?: string;
    responseCode?: number;
    response?: string;
  };
  if (code === 'EAUTH')
    throw new AppError('channel/refused', 'The mail server refused this user name and password.');
  if (responseCode !== undefined && responseCode >= 500)
    throw new AppError('channel/refused', `The mail server said: ${(response ?? '').slice(0, 200)}`);
  throw new AppError('channel/unavailable', 'The mail server cannot be reached.', { cause: error });
}
