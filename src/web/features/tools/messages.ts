import { pluginsMessages } from '../../messages/en-plugins.ts';
import { toolsMessages } from '../../messages/en-tools.ts';
import { addMessages } from '../../messages/t.ts';

addMessages({ ...toolsMessages, ...pluginsMessages });
