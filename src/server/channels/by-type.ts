import type { Config } from '../config/config.ts';
import type { Egress } from '../egress/egress.ts';
import { createChannels, type Channels } from './channel.ts';
import { createDiscord } from './discord.ts';
import { createEmail } from './email/email.ts';
import { createSlack } from './slack.ts';
import { createTelegram } from './telegram.ts';
import { createWhatsApp } from './whatsapp.ts';
import { createXChannel } from './x/channel.ts';

/** Every channel. To add one, register it here and describe it in `contract/plugin-types.ts`. */
export function channelsOf(
  {
    channelUrls: urls,
    smtpUrl,
    ssrfAllowedHosts: allowedHosts,
    x,
  }: Pick<Config, 'channelUrls' | 'smtpUrl' | 'ssrfAllowedHosts' | 'x'>,
  egress: Egress,
): Channels {
  return createChannels({
    discord: createDiscord({ apiUrl: urls.discord, egress }),
    email: createEmail({ smtpUrl, allowedHosts }),
    slack: createSlack({ apiUrl: urls.slack, egress }),
    telegram: createTelegram({ apiUrl: urls.telegram }),
    ...(x && { twitter: createXChannel({ apiUrl: x.apiUrl, egress }) }),
    whatsapp: createWhatsApp({ apiUrl: urls.whatsapp, egress }),
  });
}
