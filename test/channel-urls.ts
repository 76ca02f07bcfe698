import type { Config } from '../src/server/config/config.ts';

/** Addresses of channels' services: those given, and for all others one where nobody is. */
export function channelUrls(given: Partial<Config['channelUrls']>): Config['channelUrls'] {
  const nobody = 'http://127.0.0.1:9';
  return { discord: nobody, slack: nobody, telegram: nobody, whatsapp: nobody, ...given };
}
