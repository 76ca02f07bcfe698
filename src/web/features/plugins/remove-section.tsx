import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Plugin } from '../../../contract/plugin.ts';
import { t } from '../../messages/t.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { toast } from '../../toast.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import { nameOf, purposeOf } from './plugin-words.ts';
import { useRemovePlugin } from './use-plugins.ts';

export function RemoveSection({ plugin: { id, type, chatbotId } }: { plugin: Plugin }) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const name = nameOf(type);
  const lead = t(`plugins.removeLead.${purposeOf(type)}`);
  const remove = useRemovePlugin(async () => {
    toast.success({ title: t('tools.removed'), message: name });
    await navigate({
      to: '/platform/{-$orgId}/agent/$agentId/plugins',
      params: { orgId, agentId: chatbotId },
      ignoreBlocker: true,
    });
  });
  return (
    <Section title={t('tools.removeName', { name })} lead={lead}>
      <Button color="danger" onClick={() => setAsking(true)}>
        {t('tools.remove')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('tools.removeName', { name })}
        text={lead}
        action={t('tools.remove')}
        busy={remove.isPending}
        onConfirm={() => remove.mutate(id)}
        onClose={() => setAsking(false)}
      />
    </Section>
  );
}
