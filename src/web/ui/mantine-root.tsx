import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import './mantine-styles.ts';
import { mantineTheme, mantineVariables } from './mantine-theme.ts';
import './mantine-overrides.css';
import { styleNonce } from './style-nonce.ts';

// The scroll lock of dialogs creates its own style element and looks for the nonce under this name.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

interface MantineRootProps {
  scheme: 'light' | 'dark';
  children: ReactNode;
}

/** Wraps every screen that uses Mantine; loaded only with those, so that the chat page stays small. */
export function MantineRoot({ scheme, children }: MantineRootProps) {
  return (
    <MantineProvider
      theme={mantineTheme}
      cssVariablesResolver={mantineVariables}
      forceColorScheme={scheme}
      getStyleNonce={styleNonce}
    >
      {children}
    </MantineProvider>
  );
}
