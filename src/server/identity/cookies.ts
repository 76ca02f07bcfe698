/** Carries the identity token; the specification sets its name. */
export const AUTH_COOKIE = 'auth-token';
