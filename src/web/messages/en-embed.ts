/** The texts of the widget's frame around the conversation itself. */
export const embedMessages = {
  'embed.title': 'Chat',
  'embed.new': 'New conversation',
  'embed.close': 'Close the chat',
  'embed.loading': 'Loading the chat',
  'embed.retry': 'Try again',
  'embed.notHere': 'This agent may not be used here.',
  'embed.sites': 'You find it on:',
  'embed.unproven': 'The site could not show who you are. Reload the page to try again.',
  'embed.unknown': 'There is no such agent.',
  'embed.busy': 'Too many people are asking at the moment. Try again in a while.',
  'embed.unreachable': 'The chat could not be reached.',
  'embed.failed': 'Something went wrong. Try again.',
} as const;
