import { simpleParser, type ParsedMail } from 'mailparser';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail server that accepts a user's mail over SMTP and keeps it. */
export interface MailServer {
  host: string;
  /** With a valid user and password. */
  url: string;
  mails: ParsedMail[];
  /** The next message is rejected with this code. */
  refusal: number | undefined;
  /** Messages that have arrived are accepted only after this. */
  accepting: Promise<void> | undefined;
  close: () => Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      username === 'parley' && password === 'secret'
        ? done(null, { user: username })
        : done(new Error('Wrong')),
    onData: async (stream, _session, done) => {
      const { refusal } = mail;
      mail.refusal = undefined;
      const parsed = await simpleParser(stream);
      if (refusal !== undefined)
        return done(Object.assign(new Error('Not this one'), { responseCode: refusal }));
      mail.mails.push(parsed);
      await mail.accepting;
      return done();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const mail: MailServer = {
    host,
    url: `smtp://parley:secret@${host}`,
    mails: [],
    refusal: undefined,
    accepting: undefined,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return mail;
}
