const search = new URLSearchParams(globalThis.location?.search ?? '');

/** The service's parameters from the address, verbatim: the router would parse a long number as one. */
export const arrived = { code: search.get('code') ?? '', state: search.get('state') ?? '' };
