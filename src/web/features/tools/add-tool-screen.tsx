import { IconApi, IconBrandX } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { toolKinds } from '../../../contract/tool.ts';
import { t } from '../../messages/t.ts';
import { Permitted } from '../../permitted.tsx';
import { useAgentId, useOrgId } from '../../route-params.ts';
import { toast } from '../../toast.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { CreateTool } from './create-tool.tsx';
import style from './tools.module.css';
import { useAddPlugin } from './use-plugins.ts';

interface AddToolScreenProps {
  /** What was chosen; unset as long as nothing is. */
  kind?: (typeof toolKinds)[number] | undefined;
}

export function AddToolScreen({ kind }: AddToolScreenProps) {
  return (
    <Permitted permission="agent.write" title={t('tools.add')}>
      {kind === undefined ? <Choices /> : <CreateTool kind={kind} />}
    </Permitted>
  );
}

function Choices() {
  const params = { orgId: useOrgId(), agentId: useAgentId() };
  const navigate = useNavigate();
  const add = useAddPlugin(() => {
    toast.success({ title: t('tools.pluginAdded'), message: t('tools.pluginAddedText') });
    return navigate({ to: '/platform/{-$orgId}/agent/$agentId/plugins', params });
  });
  return (
    <>
      <PageHeader title={t('tools.add')} lead={t('tools.addLead')} />
      <ul className={style['choices']}>
        <li>
          <Link
            to="/platform/{-$orgId}/agent/$agentId/plugins/create"
            params={params}
            search={{ kind: 'openapi' }}
            className={style['choice']}
          >
            <IconApi size="1.5em" aria-hidden />
            <strong>{t('tools.kind.openapi')}</strong>
            {t('tools.kindText.openapi')}
          </Link>
        </li>
        <li>
          <button
            type="button"
            className={style['choice']}
            disabled={add.isPending}
            onClick={() => add.mutate('twitter')}
          >
            <IconBrandX size="1.5em" aria-hidden />
            <strong>{t('tools.plugin.twitter')}</strong>
            {t('tools.pluginText.twitter')}
          </button>
        </li>
      </ul>
    </>
  );
}
