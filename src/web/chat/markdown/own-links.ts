import { createContext, type ReactNode } from 'react';

/** Renders a link that has a meaning for the surrounding page; null for an ordinary one. */
type OwnLink = (href: string, children: ReactNode) => ReactNode;

export const OwnLinks = createContext<OwnLink>(() => null);
