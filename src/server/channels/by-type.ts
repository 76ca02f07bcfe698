import type { Config } from '../config.ts';
import { createChannels, type Channels } from './channel.ts';
import { createSlack } from './slack.ts';
import { createTelegram } from './telegram.ts';

/** Every channel that there is. A new one is added here, and described in `contract/plugin-types.ts`. */
export function channelsOf({ channelUrls: urls }: Pick<Config, 'channelUrls'>): Channels {
  return createChannels({
    slack: createSlack({ apiUrl: urls.slack }),
    telegram: createTelegram({ apiUrl: urls.telegram }),
  });
}
