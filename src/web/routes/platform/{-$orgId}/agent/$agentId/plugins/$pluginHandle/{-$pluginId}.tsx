import { createFileRoute } from '@tanstack/react-router';
import { isPlace } from '../../../../../../../features/plugins/place.ts';
import { PluginPlace } from '../../../../../../../features/plugins/plugin-place.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/plugins/$pluginHandle/{-$pluginId}')(
  {
    component: PluginPlace,
    staticData: {
      name: 'platform-orgId-agent-agentId-plugins-pluginHandle-pluginId',
      title: 'plugins.plugin',
      validate: isPlace,
    },
  },
);
