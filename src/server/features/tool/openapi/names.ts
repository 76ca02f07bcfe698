/** The limit for names of functions and argument properties that every provider accepts. */
const PROPERTY_MAX_CHARACTERS = 64;
/** Leaves room for a suffix that makes the name unique. */
const FUNCTION_MAX_CHARACTERS = 56;

/** Unique names of functions or properties. */
export class Names {
  readonly #taken = new Set<string>();
  readonly #maxCharacters: number;

  constructor(kind: 'function' | 'property') {
    this.#maxCharacters = kind === 'function' ? FUNCTION_MAX_CHARACTERS : PROPERTY_MAX_CHARACTERS - 8;
  }

  /** This name, made valid, with a number appended if it is taken. */
  take(wanted: string): string {
    const plain = wanted.replace(/[^\w-]+/g, '_').replace(/^_+/, '');
    const name = (/^[a-z]/i.test(plain) ? plain : `x_${plain}`).slice(0, this.#maxCharacters);
    let taken = name;
    for (let number = 2; this.#taken.has(taken); number += 1) taken = `${name}_${number}`;
    this.#taken.add(taken);
    return taken;
  }
}
