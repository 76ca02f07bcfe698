import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Username } from '../../contract/user.ts';
import { api } from '../api/api.ts';
import { t } from '../messages/t.ts';

/** Long enough to check a name after it is typed, not during. */
const PAUSE_MS = 350;

interface UsernameInputProps {
  value: string;
  /** The person's current name. */
  own: string | null;
  /** The form's props for the field. */
  input: TextInputProps;
}

/** Shows during typing whether a username is free. */
export function UsernameInput({ value, own, input }: UsernameInputProps) {
  const [username] = useDebouncedValue(value, PAUSE_MS);
  const isAsked = Username.safeParse(username).success && username.toLowerCase() !== own?.toLowerCase();
  const { data } = useQuery({
    queryKey: ['username', username.toLowerCase()],
    queryFn: async ({ signal }) => (await api.user.checkUsername({ username }, { signal })).available,
    enabled: isAsked,
    meta: { failure: 'checkUsername', quiet: true },
  });
  const isKnown = isAsked && username === value && data !== undefined;
  return (
    <TextInput
      {...input}
      label={t('account.username')}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      description={isKnown && data ? t('account.usernameFree') : t('account.usernameHint')}
      error={input.error ?? (isKnown && !data ? t('account.usernameTaken') : undefined)}
    />
  );
}
