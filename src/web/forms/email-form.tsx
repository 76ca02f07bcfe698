import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { showFieldErrors, useValidForm } from './form.ts';
import { t } from '../messages/t.ts';
import { announceFailure } from '../queries/query-client.ts';
import { email as isEmail, required } from './rules.ts';

interface EmailFormProps {
  /** The button's label: a verb. */
  action: string;
  onEmail: (email: string) => Promise<void>;
}

export function EmailForm({ action, onEmail }: EmailFormProps) {
  const labels = { email: t('auth.email') };
  const form = useValidForm({
    initial: { email: '' },
    labels,
    check: ({ email }): Record<string, string> =>
      required(email) && isEmail(email) ? {} : { email: t('form.notValid', { field: labels.email }) },
  });
  const send = useMutation({
    mutationFn: ({ email }: { email: string }) => onEmail(email.trim()),
    onError: (error) => showFieldErrors(form, error) || announceFailure(error),
    meta: { failure: 'signIn', quiet: true },
  });
  return (
    <form noValidate onSubmit={form.onSubmit((values) => send.mutate(values))}>
      <Stack>
        <TextInput
          type="email"
          autoComplete="email"
          label={labels.email}
          placeholder={t('auth.emailExample')}
          {...form.getInputProps('email')}
        />
        <Button type="submit" loading={send.isPending}>
          {action}
        </Button>
      </Stack>
    </form>
  );
}
