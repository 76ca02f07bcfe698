import { frontMessages } from '../../messages/en-front.ts';
import { addMessages } from '../../messages/t.ts';

addMessages(frontMessages);
