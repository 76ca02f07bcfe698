/** A reason why the program cannot start that the operator can do something about; shown without a stack. */
export class StartError extends Error {}
