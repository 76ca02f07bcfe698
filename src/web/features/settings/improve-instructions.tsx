import { Button, Group, Stack, Tooltip } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { modelsQuery } from '../../queries/model-queries.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { Modal } from '../../ui/modal.tsx';
import { TextDiff } from '../../ui/text-diff.tsx';

interface ImproveInstructionsProps {
  text: string;
  onTake: (improved: string) => void;
}

/** Has a model rewrite the instructions, and shows the difference before they are accepted. */
export function ImproveInstructions({ text, onTake }: ImproveInstructionsProps) {
  const organizationId = useOrgId();
  const id = useAgentId();
  const { data: models = [] } = useQuery(modelsQuery(organizationId));
  const canWrite = models.some(({ by }) => by !== 'built-in');
  // Only looks disabled, so that the reason can still be read and announced.
  const isIdle = !canWrite || text.trim() === '';
  const improve = useMutation({
    mutationFn: async () =>
      (await api.chatbot.improveInstructions({ id, organizationId, customInstructions: text }))
        .customInstructions,
    meta: { failure: 'improveInstructions' },
  });
  return (
    <>
      <Tooltip multiline label={canWrite ? t('instructions.improving') : t('instructions.noModel')}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconSparkles size="1.15em" aria-hidden />}
          loading={improve.isPending}
          data-disabled={isIdle}
          aria-disabled={isIdle}
          onClick={() => {
            if (!isIdle) improve.mutate();
          }}
        >
          {t('instructions.improve')}
        </Button>
      </Tooltip>
      {improve.data !== undefined && (
        <Improved before={text} after={improve.data} onTake={onTake} onClose={() => improve.reset()} />
      )}
    </>
  );
}

interface ImprovedProps {
  before: string;
  after: string;
  onTake: (improved: string) => void;
  onClose: () => void;
}

function Improved({ before, after, onTake, onClose }: ImprovedProps) {
  return (
    <Modal opened onClose={onClose} size="lg" title={t('instructions.improved')}>
      <Stack>
        <p>{t('instructions.improvedText')}</p>
        <TextDiff before={before} after={after} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button
            onClick={() => {
              onTake(after);
              onClose();
            }}
          >
            {t('instructions.take')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
