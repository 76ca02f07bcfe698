import { privacyMessages } from '../../messages/en-privacy.ts';
import { addMessages } from '../../messages/t.ts';

addMessages(privacyMessages);
