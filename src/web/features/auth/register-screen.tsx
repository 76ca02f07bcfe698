import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import type { ChangeEvent } from 'react';
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
import { suggestUsername } from './suggest-username.ts';

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
  const initial = { name, username: suggestUsername(name) };
  const form = useValidForm({ initial, schema: userApi.register.input, labels });
  const nameInput = form.getInputProps('name');
  const changeName = (event: ChangeEvent<HTMLInputElement>) => {
    // It follows the name until the person edits it.
    const suggested = suggestUsername(event.currentTarget.value);
    const follows = form.values.username === suggestUsername(form.values.name);
    if (follows && suggested !== form.values.username) form.setFieldValue('username', suggested);
    nameInput.onChange(event);
  };
  const register = useMutation({
    mutationFn: async (values: { name: string; username: string }) => {
      await api.user.register(values);
      // The next token has the member claim, and leads on.
      adoptSession(await refreshSession());
    },
    onError: (error) => showFieldErrors(form, error) || announceFailure(error),
    meta: { failure: 'createUser', quiet: true },
  });
  return (
    <form noValidate onSubmit={form.onSubmit((values) => register.mutate(values))}>
      <PageHeader title={t('auth.register')} lead={t('auth.registerLead')} />
      <Stack>
        <TextInput autoFocus label={labels.name} autoComplete="name" {...nameInput} onChange={changeName} />
        <UsernameInput value={form.values.username} own={null} input={form.getInputProps('username')} />
        <Button type="submit" loading={register.isPending}>
          {t('auth.goOn')}
        </Button>
      </Stack>
    </form>
  );
}
