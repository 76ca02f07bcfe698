/** Carries the identity token; its name is given by the specification. */
export const AUTH_COOKIE = 'auth-token';
