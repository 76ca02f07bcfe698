import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { describeError } from '../../query-client.ts';
import { signOut } from '../../session.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

export function SignOutScreen() {
  const navigate = useNavigate();
  const { mutate, error } = useMutation({
    mutationFn: signOut,
    onSuccess: () => navigate({ to: '/', replace: true }),
    meta: { failure: 'signOut', quiet: true },
  });
  useEffect(() => mutate(), [mutate]);
  if (error) return <ErrorState message={describeError(error)} onRetry={() => mutate()} />;
  return <Skeleton shape="row" />;
}
