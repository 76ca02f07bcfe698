import { IconBrandGoogle } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { goToGoogle, openGoogle } from './google.ts';
import { t } from '../messages/t.ts';
import { providersQuery } from '../queries/queries.ts';
import { PlainButton } from '../ui/button.tsx';

interface GoogleButtonProps {
  label?: string;
  /** Where to return to. */
  returnTo: string;
  /** In a separate window, for pages that must not be left. */
  popup?: boolean;
  onDone?: () => void;
}

/** Signing in with Google, if this installation offers it; otherwise nothing. */
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
