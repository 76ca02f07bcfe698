import { IconBrandGoogle } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { goToGoogle, openGoogle } from './google.ts';
import { t } from '../messages/t.ts';
import { providersQuery } from '../queries/queries.ts';
import { PlainButton } from '../ui/button.tsx';

interface GoogleButtonProps {
  label?: string;
  /** Where to come back to. */
  returnTo: string;
  /** In a window of its own, for pages that must not be left. */
  popup?: boolean;
  onDone?: () => void;
}

/** Signing in with Google, where this installation offers it; nothing where it does not. */
export function GoogleButton({ label, returnTo, popup = false, onDone }: GoogleButtonProps) {
  const { data: ways } = useQuery(providersQuery());
  const begin = useMutation({
    mutationFn: async () => {
      if (!popup) return goToGoogle(returnTo);
      if (await openGoogle(returnTo)) onDone?.();
    },
    meta: { failure: 'signIn' },
  });
  if (!ways?.providers.includes('google')) return null;
  return (
    <PlainButton disabled={begin.isPending} onClick={() => begin.mutate()}>
      <IconBrandGoogle size="1.25em" aria-hidden />
      {label ?? t('session.google')}
    </PlainButton>
  );
}
