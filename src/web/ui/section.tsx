import { useId, type ReactNode } from 'react';
import { Card } from './card.tsx';
import style from './section.module.css';

interface SectionProps {
  title: string;
  /** Its purpose, in one sentence. */
  lead?: ReactNode;
  children: ReactNode;
}

/** One topic on a settings page. */
export function Section({ title, lead, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Card kind="form">
        <h2 className={style['title']} id={id}>
          {title}
        </h2>
        {lead && <p className={style['lead']}>{lead}</p>}
        <div className={style['content']}>{children}</div>
      </Card>
    </section>
  );
}
