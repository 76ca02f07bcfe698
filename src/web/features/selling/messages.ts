import { sellingMessages } from '../../messages/en-selling.ts';
import { addMessages } from '../../messages/t.ts';

addMessages(sellingMessages);
