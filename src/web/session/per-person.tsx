import { Fragment, type ReactNode } from 'react';
import { peopleGone } from './session.ts';
import { useStore } from '../store.ts';

/**
 * Remounts a page that needs no sign-in when its reader is signed out, here or in another tab, or somebody else signs
 * in: nothing of theirs stays for the next person. Pages that need a sign-in are left.
 */
export function PerPerson({ children }: { children: ReactNode }) {
  return <Fragment key={useStore(peopleGone)}>{children}</Fragment>;
}
