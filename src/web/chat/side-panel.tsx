import { useEffect, useRef, type ReactNode } from 'react';
import { CloseButton } from '../ui/close-button.tsx';
import style from './passage-panel.module.css';
import { t } from './answer-text.ts';

interface SidePanelProps {
  label: string;
  /** Shown in the header: what this is. */
  title: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** A panel beside the messages; if there is no room, a sheet over them. Escape closes it. */
export function SidePanel({ label, title, onClose, children }: SidePanelProps) {
  const closer = useRef<HTMLButtonElement>(null);
  useEffect(() => closer.current?.focus(), []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [onClose]);
  return (
    <aside className={style['panel']} aria-label={label}>
      <header className={style['header']}>
        {title}
        <CloseButton ref={closer} label={t('chat.close')} onClick={onClose} />
      </header>
      {children}
    </aside>
  );
}
