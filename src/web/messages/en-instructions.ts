/** The editor of instructions, and the templates one can begin with. */
export const instructionsMessages = {
  'instructions.title': 'Instructions',
  'instructions.hint': 'Who it speaks for, in what tone, what it must not do. Up to {count} characters.',
  'instructions.example': 'You answer for the support team. Be brief and friendly.',
  'instructions.size#one': '{characters} of {max} characters, about {tokens} token',
  'instructions.size#other': '{characters} of {max} characters, about {tokens} tokens',
  'instructions.insert': 'Insert variable',
  'instructions.insertHint': 'Filled in with each answer',
  'instructions.template': 'Start from a template',
  'instructions.replace': 'Replace the instructions?',
  'instructions.replaceText':
    'What stands there now gives way to the template. Nothing is saved until you save.',
  'instructions.replaceAct': 'Replace',
  'instructions.improve': 'Improve this',
  'instructions.improving': 'A model writes them anew. It costs one credit.',
  'instructions.improved': 'Improved instructions',
  'instructions.improvedText': 'Nothing is saved until you take them and save.',
  'instructions.take': 'Take these',
  'instructions.noModel':
    'Improving needs a model: the built-in one only quotes. An owner or admin sets one up under Models.',

  'instructions.variable.user.name': 'Name of the end user',
  'instructions.variable.organization.name': 'Name of your organization',
  'instructions.variable.agent.name': 'Name of the agent',
  'instructions.variable.date': 'Date, in the end user’s time zone where it is known',
  'instructions.variable.time': 'Time of day with its zone',
  'instructions.variable.page.url': 'Address of the page on which the widget is open',

  'template.support': 'Customer support',
  'template.docs': 'Product documentation',
  'template.sales': 'Sales assistant',
  'template.helpdesk': 'Helpdesk for your own people',
  'template.tutor': 'Tutor',
  'template.booking': 'Front desk',
  'template.policy': 'Rules and compliance',
  'template.quiz': 'Quiz host',
} as const;
