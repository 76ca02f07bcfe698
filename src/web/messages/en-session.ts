/** The person's session, on any page; the sign-in pages have their own texts (`en-auth.ts`). */
export const sessionMessages = {
  'session.lost': 'You are signed out',
  'session.lostText': 'Sign in to return to the page you were on.',
  'session.needed': 'You are not signed in. Sign in and try again.',
  'session.google': 'Continue with Google',
  'session.find': 'Sign in to find your earlier conversations.',
  'session.keep': 'Sign in to keep your conversations and find them on every device.',
} as const;
