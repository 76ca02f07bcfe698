/** Pages whose contents do not exist yet: what each will be for. */
export const laterMessages = {
  'later.title': 'Not in this version',

  'later.insights': 'Insights',
  'later.insightsPurpose':
    'Here you see how often the agent is asked, how well it answers, and what it could not answer.',
  'later.users': 'Users',
  'later.usersPurpose': 'Here you see who talks to the agent and read their conversations.',
  'later.user': 'User',
  'later.userPurpose': "Here you see one person's conversations, purchases and feedback.",
} as const;
