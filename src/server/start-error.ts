/** A reason the program can't start that the operator can fix; shown without a stack trace. */
export class StartError extends Error {}
