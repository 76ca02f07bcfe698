import { useNavigate } from '@tanstack/react-router';
import type { Tool } from '../../../contract/tool.ts';
import { t } from '../../messages/t.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { toast } from '../../toast.ts';
import type { View } from './place.ts';

/** Opens a newly added tool: where its operations are selected, or in another view. */
export function useOpenTool(view?: View) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  return ({ tool: { agentId, id } }: { tool: Tool }) => {
    toast.success({ title: t('tools.created') });
    return navigate({
      to: '/platform/{-$orgId}/agent/$agentId/plugins/tool/$toolId',
      params: { orgId, agentId, toolId: id },
      search: view ? { view } : {},
      ignoreBlocker: true,
    });
  };
}
