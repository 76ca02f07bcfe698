import { chatLinksMessages } from '../../messages/en-chat-links.ts';
import { addMessages } from '../../messages/t.ts';

addMessages(chatLinksMessages);
