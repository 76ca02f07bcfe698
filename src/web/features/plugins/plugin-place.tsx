import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from '@tanstack/react-router';
import type { PluginType } from '../../../contract/plugin-names.ts';
import { pluginsQuery } from '../../queries/agent-queries.ts';
import { viewOf } from '../../queries/query-props.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { isType } from './place.ts';
import { PluginScreen } from './plugin-screen.tsx';
import './messages.ts';

/** The plugin named in the address; for a type, the only one of it, otherwise a link to the list. */
export function PluginPlace() {
  const { pluginHandle, pluginId } = useParams({ strict: false });
  const named = pluginId ?? pluginHandle;
  if (isType(named)) return <OfType type={named} />;
  return <PluginScreen id={named ?? ''} />;
}

function OfType({ type }: { type: PluginType }) {
  const params = { orgId: useOrgId(), agentId: useAgentId() };
  const plugins = useQuery(pluginsQuery(params.agentId));
  return (
    <QueryView {...viewOf(plugins)}>
      {(all) => {
        const [first, ...more] = all.filter((plugin) => plugin.type === type);
        if (!first)
          return (
            <Navigate
              to="/platform/{-$orgId}/agent/$agentId/plugins/$pluginHandle/install"
              params={{ ...params, pluginHandle: type }}
              replace
            />
          );
        return more.length === 0 ? (
          <PluginScreen id={first.id} />
        ) : (
          <Navigate to="/platform/{-$orgId}/agent/$agentId/plugins" params={params} replace />
        );
      }}
    </QueryView>
  );
}
