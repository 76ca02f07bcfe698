/** Agents as files, in the trash, and in another organization. */
export const keepingMessages = {
  'keeping.export': 'Export',
  'keeping.exportText':
    'One file with its settings, knowledge, pictures, tests and tools: to keep, or to import here or on another installation. No people, conversations, channels, keys or secrets are in it: tools that need one are paused until it is given again.',
  'keeping.exportAction': 'Download the file',
  'keeping.duplicate': 'Duplicate',
  'keeping.duplicateText':
    'Another agent with the same settings, knowledge, tests and tools, in the same teams. It has no conversations and no channels yet. Tools that need a key are paused until it is given again.',
  'keeping.duplicateName': '{name} (copy)',
  'keeping.import': 'Import agent',
  'keeping.importing': 'Importing',
  'keeping.uploading': '{share} sent',
  'keeping.counting': 'Reading the file',
  'keeping.writing': '{done} of {total} passages written',
  'keeping.imported': 'The agent is ready',
  'keeping.failed': 'The agent was not made',
  'keeping.transfer': 'Move to another organization',
  'keeping.transferText':
    'With everything that hangs on it: knowledge, conversations, plugins and files. It leaves its teams. You need to manage both organizations.',
  'keeping.transferTo': 'Organization',
  'keeping.transferChoose': 'Choose an organization',
  'keeping.transferNowhere': 'You manage no other organization.',
  'keeping.transferAction': 'Move',
  'keeping.transferred': 'Moved to {name}',
  'keeping.missingModels': 'These models are not set up there, so the next ones answer: {models}.',
  'keeping.trash': 'Deleted agents',
  'keeping.trashLead': 'They can be restored until they are gone for good.',
  'keeping.trashEmpty': 'Nothing was deleted',
  'keeping.trashEmptyText': 'Agents that you delete stand here for 30 days.',
  'keeping.deletedAt': 'Deleted',
  'keeping.purgedAt': 'Gone for good',
  'keeping.restore': 'Restore',
  'keeping.restoreNamed': 'Restore {name}',
  'keeping.bought':
    'People have bought it and still have access. Their subscriptions end, and nobody is paid back: do that first, on Pricing plans.',
  'keeping.undo': 'Undo',
  'keeping.restored': 'Agent restored',
} as const;
