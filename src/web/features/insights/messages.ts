import { insightsMessages } from '../../messages/en-insights.ts';
import { addMessages } from '../../messages/t.ts';

addMessages(insightsMessages);
