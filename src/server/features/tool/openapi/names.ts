/** What every provider takes as the name of a function or of a property of its arguments. */
const PROPERTY_MAX_CHARACTERS = 64;
/** Leaves room for what makes it the only one of its name. */
const FUNCTION_MAX_CHARACTERS = 56;

/** Names of functions or properties, each given once. */
export class Names {
  readonly #taken = new Set<string>();
  readonly #maxCharacters: number;

  constructor(kind: 'function' | 'property') {
    this.#maxCharacters = kind === 'function' ? FUNCTION_MAX_CHARACTERS : PROPERTY_MAX_CHARACTERS - 8;
  }

  /** This name as far as it can be used, with a number where it is taken. */
  take(wanted: string): string {
    const plain = wanted.replace(/[^\w-]+/g, '_').replace(/^_+/, '');
    const name = (/^[a-z]/i.test(plain) ? plain : `x_${plain}`).slice(0, this.#maxCharacters);
    let taken = name;
    for (let number = 2; this.#taken.has(taken); number += 1) taken = `${name}_${number}`;
    this.#taken.add(taken);
    return taken;
  }
}
