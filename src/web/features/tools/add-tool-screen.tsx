import { IconApi, IconPlugConnected, IconTools } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../messages/t.ts';
import { Permitted } from '../../session/permitted.tsx';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { choiceClass, Choices } from '../../ui/choices.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useOnce } from '../../hooks/use-once.ts';
import { CreateTool } from './create-tool.tsx';
import type { FormKind } from './place.ts';
import { useOpenTool } from './use-open-tool.ts';
import { useCreateTool } from './use-tools.ts';
import './messages.ts';

interface AddToolScreenProps {
  /** The channels to choose from, shown below the tools. */
  plugins: ReactNode;
  /** The selection; unset if there is none. */
  kind?: FormKind | undefined;
}

export function AddToolScreen({ kind, plugins }: AddToolScreenProps) {
  return (
    <Permitted permission="agent.write" title={t('tools.add')}>
      {kind === undefined ? <AllChoices plugins={plugins} /> : <CreateTool kind={kind} />}
    </Permitted>
  );
}

/** The tools that a single click adds. */
function useAdding() {
  const params = { orgId: useOrgId(), agentId: useAgentId() };
  const create = useCreateTool(useOpenTool());
  const addBuiltin = useOnce(() => create.mutateAsync({ kind: 'builtin', name: t('tools.kind.builtin') }));
  // Its address comes first: what it can do is read from there.
  const connect = useCreateTool(useOpenTool('connection'));
  const addServer = useOnce(() => connect.mutateAsync({ kind: 'mcp', name: t('tools.kind.mcp') }));
  return { params, create, connect, addBuiltin, addServer };
}

function AllChoices({ plugins }: { plugins: ReactNode }) {
  const { params, create, connect, addBuiltin, addServer } = useAdding();
  return (
    <>
      <PageHeader title={t('tools.add')} lead={t('tools.addLead')} />
      <Choices>
        <li>
          <Link
            to="/platform/{-$orgId}/agent/$agentId/plugins/create"
            params={params}
            search={{ kind: 'openapi' }}
            className={choiceClass}
          >
            <IconApi size="1.5em" aria-hidden />
            <strong>{t('tools.kind.openapi')}</strong>
            {t('tools.kindText.openapi')}
          </Link>
        </li>
        <li>
          <ChoiceButton
            icon={<IconTools size="1.5em" aria-hidden />}
            title={t('tools.kind.builtin')}
            text={t('tools.kindText.builtin')}
            busy={create.isPending}
            onClick={addBuiltin}
          />
        </li>
        <li>
          <ChoiceButton
            icon={<IconPlugConnected size="1.5em" aria-hidden />}
            title={t('tools.kind.mcp')}
            text={t('tools.kindText.mcp')}
            busy={connect.isPending}
            onClick={addServer}
          />
        </li>
      </Choices>
      {plugins}
    </>
  );
}

interface ChoiceButtonProps {
  icon: ReactNode;
  title: string;
  text: string;
  busy: boolean;
  onClick: () => void;
}

/** For choices that need no further input. */
function ChoiceButton({ icon, title, text, busy, onClick }: ChoiceButtonProps) {
  return (
    <button type="button" className={choiceClass} disabled={busy} onClick={onClick}>
      {icon}
      <strong>{title}</strong>
      {text}
    </button>
  );
}
