import { endUsersMessages } from '../../messages/en-end-users.ts';
import { addMessages } from '../../messages/t.ts';

addMessages(endUsersMessages);
