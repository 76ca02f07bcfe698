import { createRequire } from 'node:module';
import type { CountryResponse, Reader } from 'maxmind';
import type { RequestContext } from './call.ts';

/** The country a request comes from, ISO 3166-1 alpha-2. No third party is queried, and the address isn't stored. */
export interface Countries {
  /** Null if unknown, as for private addresses. Never throws: that isn't worth losing a conversation. */
  of: (from: Pick<RequestContext, 'address' | 'place'>) => Promise<string | null>;
}

interface CountryRecord {
  country_code?: string;
}

/** Loaded on first use, since a process that starts no conversations never needs it, and then kept. */
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
