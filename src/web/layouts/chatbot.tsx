import type { ReactNode } from 'react';
import { MAIN_ID } from '../ui/skip-link.tsx';
import style from './chatbot.module.css';

/** The whole window for a conversation. */
export function ChatbotLayout({ children }: { children: ReactNode }) {
  return (
    <main id={MAIN_ID} tabIndex={-1} className={style['main']}>
      {children}
    </main>
  );
}
