import { Fragment, type ReactNode } from 'react';
import { peopleGone } from './session.ts';
import { useStore } from '../store.ts';

/**
 * Draws a page that needs no sign-in anew when the person who read it is signed out, here or in another tab, or another one is
 * signed in: nothing of theirs stays for the next. Pages that need one are left.
 */
export function PerPerson({ children }: { children: ReactNode }) {
  return <Fragment key={useStore(peopleGone)}>{children}</Fragment>;
}
