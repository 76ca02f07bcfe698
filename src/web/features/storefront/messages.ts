import { storefrontMessages } from '../../messages/en-storefront.ts';
import { addMessages } from '../../messages/t.ts';

addMessages(storefrontMessages);
