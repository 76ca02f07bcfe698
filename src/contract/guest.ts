/** How a person who hasn't identified themselves is shown. */
export const guest = { name: 'Guest', profilePhoto: '/images/guest.svg' } as const;
