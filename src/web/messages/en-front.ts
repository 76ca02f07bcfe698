/** The front page. */
export const frontMessages = {
  'front.title': 'Build an agent that answers from your own knowledge.',
  'front.text':
    'Give it your website, files and notes. It answers with the passage it relies on, and says so when it does not know.',
  'front.start': 'Start building',
  'front.open': 'Open your agents',
  'front.note': 'No e-mail needed to start. Open source, and yours to run on your own server.',
  'front.demo': 'Demo agent',
  'front.live': 'This one is live. It answers from Parley’s own guides.',
  'front.noDemo': 'Build the first agent here',
  'front.noDemoText': 'Name it, give it a link, a file or text, and chat with it a minute later.',
} as const;
