import { estimateMessages } from '../messages/en-estimate.ts';
import { addMessages } from '../messages/t.ts';

addMessages(estimateMessages);
