import { Button, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Chatbot } from '../../../contract/chatbot.ts';
import { api } from '../../api.ts';
import { t } from '../../messages/t.ts';
import { useOrgId } from '../../route-params.ts';
import { toast } from '../../toast.ts';
import { Callout } from '../../ui/callout.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useMay } from '../../use-role.ts';
import { WithAgent } from './settings-form.tsx';

export function DangerScreen() {
  return <WithAgent>{(agent) => <Danger agent={agent} />}</WithAgent>;
}

function Danger({ agent }: { agent: Chatbot }) {
  const organizationId = useOrgId();
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const mayWrite = useMay(organizationId, 'agent.write');
  const remove = useMutation({
    mutationFn: () => api.chatbot.remove({ id: agent.id, organizationId }),
    onSuccess: async () => {
      toast.success({ title: t('settings.deleted'), message: agent.name });
      await navigate({ to: '/platform/{-$orgId}/agent', params: { orgId: organizationId } });
      await queryClient.invalidateQueries({ queryKey: ['agents', organizationId], exact: true });
    },
    meta: { failure: 'deleteChatbot' },
  });
  return (
    <Card kind="form">
      <Stack>
        <p>{t('settings.deleteText')}</p>
        {!mayWrite && <Callout>{t('settings.mayNotWrite')}</Callout>}
        <div>
          <Button color="danger" disabled={!mayWrite} onClick={() => setAsking(true)}>
            {t('settings.delete')}
          </Button>
        </div>
      </Stack>
      <ConfirmDialog
        opened={asking}
        title={t('settings.delete')}
        text={t('settings.deleteText')}
        action={t('ui.delete')}
        typedName={agent.name}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      />
    </Card>
  );
}
