/** The texts of the widget's launcher, which is delivered to other sites on its own. */
export const widgetMessages = {
  'widget.open': 'Chat with {agent}',
  'widget.openUnread': 'Chat with {agent}, new messages: {count}',
  'widget.close': 'Close the chat',
  'widget.dismiss': 'Dismiss',
  'widget.failed': 'The chat could not be loaded.',
  'widget.frameRefused': "This page's CSP must allow {host} in frame-src.",
  'widget.second': 'This page already has a chat with {agent}.',
  'widget.noAgent': 'data-agent is missing.',
} as const;
