import type { Config } from '../config.ts';
import { createChannels, type Channels } from './channel.ts';
import { createDiscord } from './discord.ts';
import { createSlack } from './slack.ts';
import { createTelegram } from './telegram.ts';
import { createWhatsApp } from './whatsapp.ts';

/** Every channel that there is. A new one is added here, and described in `contract/plugin-types.ts`. */
export function channelsOf({ channelUrls: urls }: Pick<Config, 'channelUrls'>): Channels {
  return createChannels({
    discord: createDiscord({ apiUrl: urls.discord }),
    slack: createSlack({ apiUrl: urls.slack }),
    telegram: createTelegram({ apiUrl: urls.telegram }),
    whatsapp: createWhatsApp({ apiUrl: urls.whatsapp }),
  });
}
