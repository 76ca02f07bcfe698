import { createContext, type ReactNode } from 'react';

/** Shows a link to an address that means something to the page around the text; null where it is like any other. */
type OwnLink = (href: string, children: ReactNode) => ReactNode;

export const OwnLinks = createContext<OwnLink>(() => null);
