import type { Transporter } from 'nodemailer';
import type { Config } from '../config/config.ts';
import type { Log } from '../log.ts';

export interface MailContent {
  subject: string;
  text: string;
  /** The same for people who read email as HTML. */
  html?: string | undefined;
}

export interface Mailer {
  /** True if mail leaves this machine; false if it is only stored and shown at `/dev/inbox`. */
  delivers: boolean;
  send: (recipient: string, content: MailContent) => Promise<void>;
}

/** Sends mail through the server in `SMTP_URL`; without one, prints it to the log. */
export function createMailer(config: Pick<Config, 'smtpUrl' | 'mailFrom'>, log: Log): Mailer {
  if (!config.smtpUrl) {
    return {
      delivers: false,
      send: async (recipient, { subject, text }) => {
        log.info({ recipient, subject, text }, 'mail (no SMTP_URL set)');
      },
    };
  }
  const { smtpUrl, mailFrom } = config;
  let opened: Promise<Transporter> | undefined;
  const open = () =>
    (opened ??= import('nodemailer').then(({ createTransport }) => createTransport(smtpUrl)));
  return {
    delivers: true,
    send: async (recipient, content) => {
      // As an object, never as text: a recipient can't smuggle in another.
      await (await open()).sendMail({ from: mailFrom, to: { name: '', address: recipient }, ...content });
    },
  };
}
