import { Suspense } from 'react';
import { lazily } from '../../ui/later.ts';
import type { MathToken } from './math-tokens.ts';
import style from './markdown.module.css';

export type FormulaProps = Pick<MathToken, 'raw' | 'text' | 'display'>;

const Source = ({ raw }: FormulaProps) => <code>{raw}</code>;
const TypesetFormula = lazily<FormulaProps>(
  async () => (await import('./typeset-formula.tsx')).TypesetFormula,
  Source,
);

/** A formula; shows its source until the typesetter is loaded. */
export function Formula(props: FormulaProps) {
  const formula = (
    <Suspense fallback={<Source {...props} />}>
      <TypesetFormula {...props} />
    </Suspense>
  );
  if (!props.display) return formula;
  // It scrolls sideways, so it must be keyboard-accessible.
  return (
    <span className={style['formula']} tabIndex={0} role="group">
      {formula}
    </span>
  );
}
