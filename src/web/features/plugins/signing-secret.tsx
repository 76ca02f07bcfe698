import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { CopyText } from '../../parts/copy-text.tsx';
import { t } from '../../messages/t.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import style from './plugins.module.css';
import { useSigningSecret } from './use-plugins.ts';

/** Lets a receiver verify that a delivery is ours. */
export function SigningSecret({ id }: { id: string }) {
  const [secret, setSecret] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const read = useSigningSecret(id, (made) => {
    setSecret(made.secret);
    setAsking(false);
  });
  return (
    <Section title={t('plugins.secret')} lead={t('plugins.secretLead')}>
      <Stack>
        {secret !== null && (
          <div className={style['copy']}>
            <TextInput
              readOnly
              aria-label={t('plugins.secret')}
              value={secret}
              onFocus={({ currentTarget }) => currentTarget.select()}
            />
            <CopyText text={secret} label={t('plugins.secretCopy')} />
          </div>
        )}
        <Group gap="xs">
          {secret === null && (
            <Button variant="default" loading={read.isPending} onClick={() => read.mutate(false)}>
              {t('plugins.secretShow')}
            </Button>
          )}
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('plugins.secretRotate')}
          </Button>
        </Group>
      </Stack>
      <ConfirmDialog
        opened={asking}
        title={t('plugins.secretRotate')}
        text={t('plugins.secretRotateText')}
        action={t('plugins.secretRotate')}
        busy={read.isPending}
        onConfirm={() => read.mutate(true)}
        onClose={() => setAsking(false)}
      />
    </Section>
  );
}
