import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { AgentAccess } from '../../../contract/visitor.ts';
import { NewSecret } from '../../parts/new-secret.tsx';
import { toast } from '../../toast.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useOnce } from '../../hooks/use-once.ts';
import { useAccessChange } from './use-access.ts';

interface SecretButtonsProps {
  agentId: string;
  /** There already is one: replacing or ending it needs confirmation. */
  exists: boolean;
  disabled: boolean;
  /** Creates a new one and returns it. */
  make: () => Promise<{ access: AgentAccess; secret: string }>;
  end: () => Promise<{ access: AgentAccess }>;
  texts: Record<
    'make' | 'renew' | 'renewText' | 'end' | 'endText' | 'ended' | 'fresh' | 'label' | 'copy',
    string
  >;
}

/** Creates a secret of the agent, which is shown once, replaces it, or ends it. */
export function SecretButtons({ agentId, exists, disabled, make, end, texts }: SecretButtonsProps) {
  const [asking, setAsking] = useState<'renew' | 'end' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => setAsking(null);
  const onChanged = (result: { secret: string }) => {
    close();
    setSecret(result.secret);
  };
  const making = useAccessChange(agentId, { change: make, onChanged });
  // Of two, the first would be worthless, and might be the one shown.
  const makeOnce = useOnce(() => making.mutateAsync());
  const ending = useAccessChange(agentId, {
    change: end,
    onChanged() {
      close();
      toast.success({ title: texts.ended });
    },
  });
  return (
    <>
      <Group gap="xs">
        <Button
          variant="default"
          disabled={disabled}
          loading={making.isPending}
          onClick={() => (exists ? setAsking('renew') : makeOnce())}
        >
          {exists ? texts.renew : texts.make}
        </Button>
        {exists && (
          <Button variant="default" disabled={disabled} onClick={() => setAsking('end')}>
            {texts.end}
          </Button>
        )}
      </Group>
      <ConfirmDialog
        opened={asking !== null}
        {...questionOf(asking, texts)}
        busy={making.isPending || ending.isPending}
        onConfirm={() => (asking === 'end' ? ending.mutate() : makeOnce())}
        onClose={close}
      />
      <NewSecret
        secret={secret}
        {...{ title: texts.fresh, label: texts.label, copyLabel: texts.copy }}
        onClose={() => setSecret(null)}
      />
    </>
  );
}

function questionOf(asking: 'renew' | 'end' | null, texts: SecretButtonsProps['texts']) {
  return asking === 'end'
    ? { title: texts.end, text: texts.endText, action: texts.end }
    : { title: texts.renew, text: texts.renewText, action: texts.renew };
}
