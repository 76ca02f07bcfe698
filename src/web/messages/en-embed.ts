/** The texts of the widget's frame around the conversation itself. */
export const embedMessages = {
  'embed.title': 'Chat',
  'embed.new': 'New conversation',
  'embed.earlier': 'Earlier conversations',
  'embed.moreEarlier': 'Show more',
  'embed.noneEarlier': 'None yet.',
  'embed.close': 'Close the chat',
  'embed.loading': 'Loading the chat',
  'embed.retry': 'Try again',
  'embed.notHere': 'This agent is not available on this site.',
  'embed.sites': 'It is available on:',
  'embed.unproven': 'The site could not confirm who you are. Reload the page to try again.',
  'embed.unknown': 'This agent no longer exists, or is not open to everyone.',
  'embed.busy': 'Too many people are asking right now. Try again in a while.',
  'embed.unreachable': 'The chat could not be reached.',
  'embed.waiting': 'Waiting to be sent:',
  /** In the browser's console. */
  'embed.noText':
    'parley.send() takes a text of at most {most} characters. This was not one, and was not sent.',
  'embed.data': 'Your data',
  'embed.download': 'Download your data',
  'embed.erase': 'Erase all my data',
  'embed.eraseText': 'This cannot be undone. Type “{word}” to confirm.',
  'embed.back': 'Back to the chat',
  'embed.receipt': 'Erased. Open the receipt',
  'embed.working': 'One moment',
  'embed.failed': 'Something went wrong. Try again.',
} as const;
