import { improvementMessages } from '../../messages/en-improvement.ts';
import { addMessages } from '../../messages/t.ts';

addMessages(improvementMessages);
