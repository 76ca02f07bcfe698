import { inboxMessages } from '../../messages/en-inbox.ts';
import { addMessages } from '../../messages/t.ts';

addMessages(inboxMessages);
