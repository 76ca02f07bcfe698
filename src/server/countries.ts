import { createRequire } from 'node:module';
import type { CountryResponse, Reader } from 'maxmind';
import type { RequestContext } from './call.ts';

/** In which country a request comes from, ISO 3166-1 alpha-2. Nothing is asked of anybody, and the address is kept nowhere. */
export interface Countries {
  /** Null where that is not known, as of private addresses. Never throws: it is not worth a conversation. */
  of: (from: Pick<RequestContext, 'address' | 'place'>) => Promise<string | null>;
}

interface CountryRecord {
  country_code?: string;
}

/** Read when it is first needed, since a process that begins no conversations needs it never; then kept. */
export function createCountries(): Countries {
  let database: Promise<Reader<CountryResponse & CountryRecord>> | undefined;
  return {
    of: async ({ address, place }) => {
      if (place.country !== undefined && isCode(place.country)) return place.country;
      const ip = address.replace(/^::ffff:/i, '');
      try {
        const { open, validate } = await import('maxmind');
        if (!validate(ip)) return null;
        database ??= open(databasePath());
        const found = (await database).get(ip)?.country_code;
        return found !== undefined && isCode(found) ? found : null;
      } catch {
        return null;
      }
    },
  };
}

const isCode = (text: string): boolean => /^[A-Z]{2}$/.test(text);

function databasePath(): string {
  return createRequire(import.meta.url).resolve(
    '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
  );
}
