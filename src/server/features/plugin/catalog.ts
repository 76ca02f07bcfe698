import * as z from 'zod';
import type { PluginOffer } from '../../../contract/plugin.ts';
import { pluginTypes } from '../../../contract/plugin-names.ts';
import { pluginShapes } from '../../../contract/plugin-types.ts';
import type { Deps } from '../../deps.ts';

/** What can be installed, in the form its setup forms need. */
export function catalogOf({ x }: Pick<Deps, 'x'>): PluginOffer[] {
  return pluginTypes.map((type) => ({
    type,
    handle: type,
    settings: z.toJSONSchema(pluginShapes[type].settings, { io: 'input' }),
    credentials: z.toJSONSchema(pluginShapes[type].credentials, { io: 'input' }),
    signsIn: type === 'twitter',
    isAvailable: type !== 'twitter' || x.isConfigured,
  }));
}
