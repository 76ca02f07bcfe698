/** How a person is shown who has not said who they are. */
export const guest = { name: 'Guest', profilePhoto: '/images/guest.svg' } as const;
