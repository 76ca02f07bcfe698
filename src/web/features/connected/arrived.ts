const search = new URLSearchParams(globalThis.location?.search ?? '');

/** What the service has put into the address, letter by letter: the router would read a long number as one. */
export const arrived = { code: search.get('code') ?? '', state: search.get('state') ?? '' };
