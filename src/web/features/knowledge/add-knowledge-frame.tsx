import { Outlet } from '@tanstack/react-router';
import { t } from '../../messages/t.ts';
import { Permitted } from '../../session/permitted.tsx';

/** The pages on which knowledge is added, for those who may. */
export function AddKnowledgeFrame() {
  return (
    <Permitted permission="agent.write" title={t('knowledge.add')}>
      <Outlet />
    </Permitted>
  );
}
