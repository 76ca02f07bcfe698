/** Agents as files, in the trash, and in another organization. */
export const keepingMessages = {
  'keeping.export': 'Export',
  'keeping.exportText':
    'One file with the agent’s settings, knowledge, pictures, tests and tools, to keep or to import here or on another installation. It contains no people, conversations, channels, keys or secrets. Tools that need one are paused until you enter it again.',
  'keeping.exportAction': 'Download file',
  'keeping.duplicate': 'Duplicate',
  'keeping.duplicateText':
    'A second agent with the same settings, knowledge, tests and tools, in the same teams. It has no conversations or channels yet. Tools that need a key are paused until you enter it again.',
  'keeping.duplicateName': '{name} (copy)',
  'keeping.import': 'Import agent',
  'keeping.importing': 'Importing',
  'keeping.uploading': '{share} uploaded',
  'keeping.counting': 'Reading the file',
  'keeping.writing': '{done} of {total} passages written',
  'keeping.imported': 'The agent is ready',
  'keeping.failed': 'The agent was not created',
  'keeping.transfer': 'Move to another organization',
  'keeping.transferText':
    'Moves everything: knowledge, conversations, plugins and files. The agent leaves its teams. You need to manage both organizations.',
  'keeping.transferTo': 'Organization',
  'keeping.transferChoose': 'Choose an organization',
  'keeping.transferNowhere': 'You do not manage another organization.',
  'keeping.transferAction': 'Move',
  'keeping.transferred': 'Moved to {name}',
  'keeping.missingModels': 'These models are not set up there, so the agent uses the next ones: {models}.',
  'keeping.trash': 'Deleted agents',
  'keeping.trashLead': 'You can restore them until they are permanently deleted.',
  'keeping.trashEmpty': 'No deleted agents',
  'keeping.trashEmptyText': 'Agents that you delete stay here for 30 days.',
  'keeping.deletedAt': 'Deleted',
  'keeping.purgedAt': 'Gone permanently',
  'keeping.restore': 'Restore',
  'keeping.restoreNamed': 'Restore {name}',
  'keeping.bought':
    'People have bought it and still have access. Their subscriptions end without refunds; refund them first, under Pricing plans.',
  'keeping.undo': 'Undo',
  'keeping.restored': 'Agent restored',
} as const;
