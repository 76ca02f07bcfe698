import { Outlet } from '@tanstack/react-router';
import { t } from '../../messages/t.ts';
import { useOrgId } from '../../route-params.ts';
import { Notice } from '../../ui/notice.tsx';
import { useMay } from '../../use-role.ts';

/** The pages on which knowledge is added, for those who may. */
export function AddKnowledgeFrame() {
  const mayWrite = useMay(useOrgId(), 'agent.write');
  if (mayWrite) return <Outlet />;
  return <Notice level={1} title={t('ui.notAllowed')} text={t('knowledge.mayNotWrite')} />;
}
