import { Outlet } from '@tanstack/react-router';
import { t } from '../../messages/t.ts';
import { Permitted } from '../../session/permitted.tsx';

/** The pages for adding knowledge, for people who may. */
export function AddKnowledgeFrame() {
  return (
    <Permitted permission="agent.write" title={t('knowledge.add')}>
      <Outlet />
    </Permitted>
  );
}
