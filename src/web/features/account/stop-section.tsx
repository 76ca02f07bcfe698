import { Button, Stack, Switch, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { PlanSubscription } from '../../../contract/billing.ts';
import { STOP_MESSAGE_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { api } from '../../api/api.ts';
import { adoptSaved, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';
import { Section } from '../../ui/section.tsx';
import { UnsavedGuard } from '../../forms/unsaved-guard.tsx';

interface StopSectionProps {
  organizationId: string;
  subscription: PlanSubscription;
}

/** What happens when a month's answers are used up, and the text people read then. */
export function StopSection({ organizationId, subscription }: StopSectionProps) {
  const { form, save } = useStop(organizationId, subscription);
  return (
    <Section title={t('billing.stop')} lead={t('billing.stopText')}>
      <UnsavedGuard changed={form.isDirty()} />
      <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack>
          <Switch
            label={t('billing.stopSoft')}
            description={t('billing.stopSoftText')}
            {...form.getInputProps('isSoft', { type: 'checkbox' })}
          />
          <Textarea
            label={t('billing.stopMessage')}
            description={t('billing.stopMessageHint')}
            maxLength={STOP_MESSAGE_MAX_CHARACTERS}
            autosize
            minRows={2}
            {...form.getInputProps('message')}
          />
          <div>
            <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
              {t('ui.save')}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  );
}

function useStop(organizationId: string, { creditStop, stopMessage }: PlanSubscription) {
  const form = useValidForm({
    initial: { isSoft: creditStop === 'soft', message: stopMessage ?? '' },
    labels: { isSoft: t('billing.stopSoft'), message: t('billing.stopMessage') },
  });
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: ({ isSoft, message }: typeof form.values) =>
      api.billing.setStop({
        organizationId,
        creditStop: isSoft ? 'soft' : 'hard',
        stopMessage: message.trim() || null,
      }),
    onSuccess: async (_answer, sent) => {
      adoptSaved(form, sent, { ...sent, message: sent.message.trim() });
      toast.success({ title: t('billing.stopSaved') });
      await queryClient.invalidateQueries({ queryKey: ['subscription', organizationId] });
    },
    meta: { failure: 'updateSubscription' },
  });
  return { form, save };
}
