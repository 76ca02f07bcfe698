/** Pages whose contents do not exist yet: what each will be for. */
export const laterMessages = {
  'later.title': 'Not in this version',

  'later.insights': 'Insights',
  'later.insightsPurpose':
    'Here you see how often the agent is asked, how well it answers, and what it could not answer.',
} as const;
