import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { user as userApi } from '../../../contract/user.ts';
import { api } from '../../api/api.ts';
import { showFieldErrors, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { adoptSession, refreshSession, sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { UsernameInput } from '../../forms/username-input.tsx';

/** The last step to membership: a name and a username. */
export function RegisterScreen() {
  const { status, user } = useStore(sessionState);
  if (status === 'loading') return <Skeleton shape="row" titled />;
  if (!user) return <Navigate to="/auth" search={{ signup: true }} replace />;
  if (user.isMember) return <Navigate to="/auth/register/onboarding" replace />;
  return <RegisterForm name={user.isAnonymous ? '' : user.name} />;
}

function RegisterForm({ name }: { name: string }) {
  const labels = { name: t('account.name'), username: t('account.username') };
  const form = useValidForm({ initial: { name, username: '' }, schema: userApi.register.input, labels });
  const register = useMutation({
    mutationFn: async (values: { name: string; username: string }) => {
      await api.user.register(values);
      // The member claim comes with the next token, and leads on.
      adoptSession(await refreshSession());
    },
    onError: (error) => showFieldErrors(form, error) || announceFailure(error),
    meta: { failure: 'createUser', quiet: true },
  });
  return (
    <form noValidate onSubmit={form.onSubmit((values) => register.mutate(values))}>
      <PageHeader title={t('auth.register')} lead={t('auth.registerLead')} />
      <Stack>
        <TextInput label={labels.name} autoComplete="name" {...form.getInputProps('name')} />
        <UsernameInput value={form.values.username} own={null} input={form.getInputProps('username')} />
        <Button type="submit" loading={register.isPending}>
          {t('auth.goOn')}
        </Button>
      </Stack>
    </form>
  );
}
