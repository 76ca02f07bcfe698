import { Button, Stack, Switch, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PlanSubscription } from '../../../contract/billing.ts';
import { STOP_MESSAGE_MAX_CHARACTERS } from '../../../contract/limits.ts';
import type { CreditStop } from '../../../contract/plans.ts';
import { api } from '../../api.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';
import { Section } from '../../ui/section.tsx';

interface StopSectionProps {
  organizationId: string;
  subscription: PlanSubscription;
}

/** What happens when a month's answers are used up, and what people read then. */
export function StopSection({ organizationId, subscription }: StopSectionProps) {
  const [creditStop, setCreditStop] = useState<CreditStop>(subscription.creditStop);
  const [message, setMessage] = useState(subscription.stopMessage ?? '');
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      api.billing.setStop({ organizationId, creditStop, stopMessage: message.trim() || null }),
    onSuccess: async () => {
      toast.success({ title: t('billing.stopSaved') });
      await queryClient.invalidateQueries({ queryKey: ['subscription', organizationId] });
    },
    meta: { failure: 'updateSubscription' },
  });
  return (
    <Section title={t('billing.stop')} lead={t('billing.stopText')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Stack>
          <Switch
            label={t('billing.stopSoft')}
            description={t('billing.stopSoftText')}
            checked={creditStop === 'soft'}
            onChange={(event) => setCreditStop(event.currentTarget.checked ? 'soft' : 'hard')}
          />
          <Textarea
            label={t('billing.stopMessage')}
            description={t('billing.stopMessageHint')}
            maxLength={STOP_MESSAGE_MAX_CHARACTERS}
            autosize
            minRows={2}
            value={message}
            onChange={(event) => setMessage(event.currentTarget.value)}
          />
          <div>
            <Button type="submit" loading={save.isPending}>
              {t('ui.save')}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  );
}
