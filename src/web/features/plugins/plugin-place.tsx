import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from '@tanstack/react-router';
import { isId } from '../../../contract/id-format.ts';
import { pluginTypes, type PluginType } from '../../../contract/plugin-types.ts';
import { viewOf } from '../../query-props.ts';
import { useAgentId, useOrgId } from '../../route-params.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { PluginScreen } from './plugin-screen.tsx';
import { pluginsQuery } from './use-plugins.ts';

export function isType(handle: string | undefined): handle is PluginType {
  return (pluginTypes as readonly string[]).includes(handle ?? '');
}

/** An address that names a plugin by its id, or its kind. */
export function isPlace({ pluginHandle, pluginId }: Readonly<Record<string, string | undefined>>): boolean {
  const isKnown = pluginHandle === undefined || isType(pluginHandle) || isId('plugin', pluginHandle);
  return isKnown && (pluginId === undefined || isId('plugin', pluginId) || isType(pluginId));
}

/** The plugin of an address; of a kind the only one there is, else the way to them. */
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
