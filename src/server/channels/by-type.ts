import type { Config } from '../config.ts';
import { createChannels, type Channels } from './channel.ts';
import { createEmail } from './email/email.ts';
import { createTelegram } from './telegram.ts';

/** Every channel that there is. A new one is added here, and described in `contract/plugin-types.ts`. */
export function channelsOf({
  channelUrls: urls,
  smtpUrl,
  ssrfAllowedHosts: allowedHosts,
}: Pick<Config, 'channelUrls' | 'smtpUrl' | 'ssrfAllowedHosts'>): Channels {
  return createChannels({
    email: createEmail({ smtpUrl, allowedHosts }),
    telegram: createTelegram({ apiUrl: urls.telegram }),
  });
}
