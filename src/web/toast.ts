import { createStore } from './store.ts';

interface ToastContent {
  title: string;
  message?: string;
  /** An action offered while it is shown. */
  action?: { text: string; run: () => void };
}

interface Toast extends ToastContent {
  id: number;
  kind: 'success' | 'error';
}

export const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

/** Tells a person what happened. The same text is not shown twice at once. */
function show(kind: Toast['kind'], content: ToastContent): void {
  const rest = toasts
    .get()
    .filter((shown) => shown.title !== content.title || shown.message !== content.message);
  lastId += 1;
  toasts.set([...rest, { ...content, kind, id: lastId }].slice(-3));
}

export const toast = {
  success: (content: ToastContent) => show('success', content),
  error: (content: ToastContent) => show('error', content),
  dismiss: (id: number) => toasts.set(toasts.get().filter((shown) => shown.id !== id)),
};
