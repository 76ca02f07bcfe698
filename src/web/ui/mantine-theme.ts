import {
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

/** The tokens of tokens.css as Mantine colors. One value serves both schemes: the tokens themselves change. */

const shades = (value: string): MantineColorsTuple => [
  value,
  value,
  value,
  value,
  value,
  value,
  value,
  value,
  value,
  value,
];

const filled: Record<string, { background: string; hover: string; color: string }> = {
  accent: { background: 'var(--accent)', hover: 'var(--accent-hover)', color: 'var(--on-accent)' },
  danger: { background: 'var(--red-fill)', hover: 'var(--red-fill-hover)', color: 'var(--on-red)' },
};

const variantColorResolver: VariantColorsResolver = (input) => {
  const own = input.variant === 'filled' ? filled[input.color ?? 'accent'] : undefined;
  return { ...defaultVariantColorsResolver(input), ...own };
};

export const mantineTheme = createTheme({
  colors: { accent: shades('var(--accent)'), danger: shades('var(--red)') },
  primaryColor: 'accent',
  variantColorResolver,
  white: 'var(--surface)',
  black: 'var(--text)',
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-code)',
  fontSizes: {
    xs: 'var(--size-small)',
    sm: 'var(--size-base)',
    md: 'var(--size-base)',
    lg: 'var(--size-large)',
  },
  lineHeights: { xs: '1.4', sm: 'var(--line)', md: 'var(--line)', lg: '1.5' },
  spacing: { xs: 'var(--s-2)', sm: 'var(--s-3)', md: 'var(--s-4)', lg: 'var(--s-6)', xl: 'var(--s-8)' },
  radius: { sm: 'var(--radius-control)', md: 'var(--radius)', lg: 'var(--radius-card)' },
  defaultRadius: 'sm',
  shadows: { xs: 'none', sm: 'none', md: 'var(--shadow)', lg: 'var(--shadow)', xl: 'var(--shadow)' },
  cursorType: 'pointer',
  components: {
    // Focus goes to the first entry, and the menu contains only entries.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, withinPortal: false } },
    Tooltip: { defaultProps: { openDelay: 400 } },
    // User input follows the direction of its own language.
    TextInput: { defaultProps: { dir: 'auto' } },
    Textarea: { defaultProps: { dir: 'auto' } },
    Modal: { defaultProps: { centered: true, radius: 'lg' } },
  },
});

const variables = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-bright': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-soft)',
  '--mantine-color-placeholder': 'var(--text-faint)',
  '--mantine-color-error': 'var(--red)',
  '--mantine-color-anchor': 'var(--accent-text)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--control-border)',
  '--mantine-color-disabled': 'var(--sunken)',
  '--mantine-color-disabled-color': 'var(--text-soft)',
  '--mantine-color-disabled-border': 'var(--border)',
  '--mantine-color-accent-filled': 'var(--accent)',
  '--mantine-color-accent-filled-hover': 'var(--accent-hover)',
  '--mantine-color-accent-light': 'var(--accent-soft)',
  '--mantine-color-accent-light-hover': 'var(--accent-soft)',
  '--mantine-color-accent-light-color': 'var(--accent-text)',
  '--mantine-color-danger-light-color': 'var(--red)',
  '--mantine-color-danger-light-hover': 'var(--red-soft)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
};

export const mantineVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: variables,
  dark: variables,
});
