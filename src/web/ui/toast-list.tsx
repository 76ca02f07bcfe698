import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { t } from '../messages/t.ts';
import { CloseButton } from './close-button.tsx';
import { TextButton } from './text-button.tsx';
import style from './toast-list.module.css';

interface ShownToast {
  id: number;
  kind: 'success' | 'error';
  title: string;
  message?: string;
  action?: { text: string; run: () => void };
}

interface ToastListProps {
  toasts: readonly ShownToast[];
  /** How long each one stays; the timer restarts when the pointer leaves it. */
  lastsMs: number;
  /** Must be the same function each time, or the timer restarts. */
  onDismiss: (id: number) => void;
}

export function ToastList({ toasts, lastsMs, onDismiss }: ToastListProps) {
  return (
    <div className={style['list']} aria-live="polite">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} lastsMs={lastsMs} onDismiss={onDismiss} />
      ))}
    </div>
  );
}

interface ToastCardProps {
  toast: ShownToast;
  lastsMs: number;
  onDismiss: (id: number) => void;
}

function ToastCard({ toast, lastsMs, onDismiss }: ToastCardProps) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => onDismiss(toast.id), lastsMs);
    return () => clearTimeout(timer);
  }, [held, lastsMs, onDismiss, toast.id]);
  const Icon = toast.kind === 'success' ? IconCircleCheck : IconAlertCircle;
  return (
    <div
      className={style['toast']}
      role={toast.kind === 'error' ? 'alert' : 'status'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className={`${style['icon']} ${style[toast.kind]}`}>
        <Icon size="1.25em" aria-hidden />
      </span>
      <div>
        <p className={style['title']}>{toast.title}</p>
        {toast.message && <p className={style['message']}>{toast.message}</p>}
        {toast.action && (
          <TextButton
            text={toast.action.text}
            onClick={() => {
              toast.action?.run();
              onDismiss(toast.id);
            }}
          />
        )}
      </div>
      <CloseButton label={t('ui.close')} size="1em" onClick={() => onDismiss(toast.id)} />
    </div>
  );
}
