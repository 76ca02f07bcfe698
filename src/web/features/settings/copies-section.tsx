import { Button } from '@mantine/core';
import { IconCopyPlus, IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Chatbot } from '../../../contract/chatbot.ts';
import { cutText } from '../../../contract/cut-text.ts';
import { AGENT_NAME_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { AgentMaking } from '../../parts/agent-making.tsx';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { Section } from '../../ui/section.tsx';
import { useOnce } from '../../hooks/use-once.ts';

interface SectionProps {
  agent: Chatbot;
  disabled: boolean;
}

export function ExportSection({ agent: { id }, disabled }: SectionProps) {
  const organizationId = useOrgId();
  return (
    <Section title={t('keeping.export')} lead={t('keeping.exportText')}>
      <Button
        component="a"
        variant="default"
        leftSection={<IconDownload size="1.15em" aria-hidden />}
        href={`/v1/chatbot/${id}/export?organizationId=${organizationId}`}
        download
        disabled={disabled}
      >
        {t('keeping.exportAction')}
      </Button>
    </Section>
  );
}

export function DuplicateSection({ agent: { id, name }, disabled }: SectionProps) {
  const organizationId = useOrgId();
  const [importId, setImportId] = useState<string | null>(null);
  const copy = useMutation({
    mutationFn: async () => {
      const copyName = cutText(t('keeping.duplicateName', { name }), AGENT_NAME_MAX_CHARACTERS);
      return (await laterApi.agentFile.duplicate({ id, organizationId, name: copyName })).import.id;
    },
    onSuccess: setImportId,
    meta: { failure: 'createChatbot' },
  });
  const copyOnce = useOnce(() => copy.mutateAsync());
  return (
    <Section title={t('keeping.duplicate')} lead={t('keeping.duplicateText')}>
      <Button
        variant="default"
        leftSection={<IconCopyPlus size="1.15em" aria-hidden />}
        loading={copy.isPending}
        disabled={disabled}
        onClick={copyOnce}
      >
        {t('keeping.duplicate')}
      </Button>
      {importId !== null && (
        <AgentMaking importId={importId} title={t('keeping.duplicate')} onClose={() => setImportId(null)} />
      )}
    </Section>
  );
}
