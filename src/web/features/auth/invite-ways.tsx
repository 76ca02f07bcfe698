import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/api.ts';
import { lastOrganization } from '../../session/current-organization.ts';
import { EmailForm } from '../../forms/email-form.tsx';
import { GoogleButton } from '../../session/google-button.tsx';
import { t } from '../../messages/t.ts';
import { rememberPage } from '../../session/return-to.ts';
import { adoptSession, refreshSession, signOut } from '../../session/session.ts';
import { Callout } from '../../ui/callout.tsx';
import { useAskForLink } from '../../session/use-ask-for-link.ts';

const addressOf = (token: string) => `/auth/invite?token=${encodeURIComponent(token)}`;

/** For the invited person. */
export function AnswerInvite({ token }: { token: string }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const answer = useMutation({
    mutationFn: async (status: 'accepted' | 'declined') => {
      const { organizationId } = await api.member.answerInvite({ inviteToken: token, status });
      // After accepting, they are a member from the next token on.
      if (status === 'accepted') adoptSession(await refreshSession());
      return status === 'accepted' ? organizationId : null;
    },
    onSuccess: async (orgId) => {
      if (!orgId) return;
      lastOrganization.set(orgId);
      await queryClient.invalidateQueries({ queryKey: ['organizations'] });
      await navigate({ to: '/platform/{-$orgId}/agent', params: { orgId }, replace: true });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['received-invite'] }),
    meta: { failure: 'updateInvite' },
  });
  return (
    <Group grow>
      <Button variant="default" disabled={answer.isPending} onClick={() => answer.mutate('declined')}>
        {t('invite.decline')}
      </Button>
      <Button loading={answer.isPending} onClick={() => answer.mutate('accepted')}>
        {t('invite.accept')}
      </Button>
    </Group>
  );
}

/** For a visitor: signing in with the invited address leads back here. */
export function SignInForInvite({ email, token }: { email: string; token: string }) {
  const askForLink = useAskForLink();
  const ask = (address: string) => {
    rememberPage(addressOf(token));
    return askForLink(address);
  };
  return (
    <Stack>
      <Callout>{t('invite.signIn', { email })}</Callout>
      <GoogleButton returnTo={addressOf(token)} />
      <EmailForm action={t('auth.sendLink')} onEmail={ask} />
    </Stack>
  );
}

/** For a person signed in with another address. */
export function SwitchForInvite({ email, invited }: { email: string; invited: string }) {
  const leave = useMutation({ mutationFn: signOut, meta: { failure: 'signOut' } });
  return (
    <Stack>
      <Callout>{t('invite.otherPerson', { email, invited })}</Callout>
      <Button loading={leave.isPending} onClick={() => leave.mutate()}>
        {t('invite.switch')}
      </Button>
    </Stack>
  );
}
