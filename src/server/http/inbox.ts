import type { FastifyInstance, FastifyRequest } from 'fastify';
import { notFound } from '../app-error.ts';
import { isLoopback } from '../egress/operator-fetch.ts';

interface InboxMail {
  recipient: string;
  subject: string;
  text: string;
  createdAt: Date;
}

/**
 * The mail of an installation without a mail server, at `/dev/inbox`. It contains sign-in links, so it is shown only to
 * a browser on this machine that reaches the server without a proxy; for anybody else it does not exist. The same
 * applies if people reach the installation (`origin`) from elsewhere: not every proxy identifies itself.
 */
export function serveInbox(
  app: FastifyInstance,
  listMail: () => Promise<InboxMail[]>,
  origin: () => string,
): void {
  app.get('/dev/inbox', { schema: { hide: true } }, async (request, reply) => {
    if (!isLoopback(origin()) || !isOnThisMachine(request)) throw notFound();
    const mails = await listMail();
    return reply
      .header('cache-control', 'no-store')
      .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
      .type('text/html; charset=utf-8')
      .send(pageOf(mails));
  });
}

/**
 * Also checks the host name: any other name was pointed here by a foreign name server (DNS rebinding), whose page could
 * read the mail.
 */
function isOnThisMachine({ headers, socket }: FastifyRequest): boolean {
  const isForwarded = 'x-forwarded-for' in headers || 'forwarded' in headers;
  const isHere = /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '');
  return isHere && !isForwarded && isLoopback(`http://${headers.host}`);
}

function pageOf(mails: InboxMail[]): string {
  const items = mails.map(
    ({ recipient, subject, text, createdAt }) =>
      `<article><h2>${escape(subject)}</h2><p>To ${escape(recipient)}, <time>${createdAt.toISOString()}</time></p>${linked(text)}</article>`,
  );
  const body = items.join('\n<hr>\n') || '<p>No mail yet.</p>';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Inbox</title><main><h1>Inbox</h1><p>Mail that this installation would have sent. Set SMTP_URL to send it.</p>${body}</main></html>`;
}

function linked(text: string): string {
  const html = escape(text).replace(/https?:\/\/[^\s<]+/g, (link) => `<a href="${link}">${link}</a>`);
  return `<p>${html.replace(/\n\n/g, '</p><p>').replace(/\n/g, '<br>')}</p>`;
}

function escape(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
