/** Why something can't be calculated, in words for the model. */
export class CalculationError extends Error {}

const EXPRESSION_MAX_CHARACTERS = 500;
const DEPTH_MAX = 50;

const constants: Record<string, number> = { pi: Math.PI, e: Math.E };
const functions: Record<string, (...values: number[]) => number> = {
  abs: Math.abs,
  ceil: Math.ceil,
  exp: Math.exp,
  floor: Math.floor,
  ln: Math.log,
  log10: Math.log10,
  max: Math.max,
  min: Math.min,
  round: (value = Number.NaN, digits = 0) => Math.round(value * 10 ** digits) / 10 ** digits,
  sqrt: Math.sqrt,
};

/** Evaluates `2 * (3 + 4) ^ 2` by its grammar alone: nothing in it is ever executed. Throws `CalculationError`. */
export function calculate(expression: string): number {
  if (expression.length > EXPRESSION_MAX_CHARACTERS)
    throw new CalculationError('The expression is too long.');
  const value = new Calculation(tokensOf(expression)).whole();
  if (!Number.isFinite(value)) throw new CalculationError('The result is not a number.');
  return value;
}

function tokensOf(expression: string): string[] {
  const tokens = expression.match(/\d+(?:\.\d+)?(?:e[+-]?\d+)?|[a-z]\w*|[-+*/%^(),]|\S/gi) ?? [];
  return tokens.map((token) => token.toLowerCase());
}

class Calculation {
  readonly #tokens: string[];
  #at = 0;
  #depth = 0;

  constructor(tokens: string[]) {
    this.#tokens = tokens;
  }

  whole(): number {
    const value = this.#sum();
    if (this.#at < this.#tokens.length) throw unexpected(this.#tokens[this.#at]);
    return value;
  }

  #sum(): number {
    let value = this.#product();
    for (let sign = this.#take('+', '-'); sign; sign = this.#take('+', '-')) {
      const next = this.#product();
      value = sign === '+' ? value + next : value - next;
    }
    return value;
  }

  #product(): number {
    let value = this.#signed();
    for (let sign = this.#take('*', '/', '%'); sign; sign = this.#take('*', '/', '%')) {
      const next = this.#signed();
      value = sign === '*' ? value * next : sign === '/' ? value / next : value % next;
    }
    return value;
  }

  #signed(): number {
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw new CalculationError('The expression is nested too deeply.');
    const sign = this.#take('+', '-');
    const value = sign ? this.#signed() : this.#power();
    this.#depth -= 1;
    return sign === '-' ? -value : value;
  }

  #power(): number {
    const base = this.#atom();
    return this.#take('^') ? base ** this.#signed() : base;
  }

  #atom(): number {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    if (token === '(') return this.#closed();
    if (token !== undefined && /^\d/.test(token)) return Number(token);
    if (token !== undefined && Object.hasOwn(constants, token)) return constants[token] ?? Number.NaN;
    const run = token !== undefined && Object.hasOwn(functions, token) ? functions[token] : undefined;
    if (!run || !this.#take('(')) throw unexpected(token);
    const values = [this.#sum()];
    while (this.#take(',')) values.push(this.#sum());
    if (!this.#take(')')) throw unexpected(this.#tokens[this.#at]);
    return run(...values);
  }

  #closed(): number {
    const value = this.#sum();
    if (!this.#take(')')) throw unexpected(this.#tokens[this.#at]);
    return value;
  }

  #take(...wanted: string[]): string | undefined {
    const token = this.#tokens[this.#at];
    if (token === undefined || !wanted.includes(token)) return undefined;
    this.#at += 1;
    return token;
  }
}

function unexpected(token: string | undefined): CalculationError {
  return new CalculationError(
    token === undefined ? 'The expression ends too early.' : `“${token.slice(0, 20)}” is not allowed there.`,
  );
}
