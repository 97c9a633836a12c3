/** Words of exporting a wallet's key. */
export const keyExport = {
  'export.title': 'Transfer wallet',
  'export.text': 'Use this key to move your wallet to another app.',
  'export.warning':
    'Never share your private key or seed phrase with anyone. Anyone who has it can take everything in this wallet.',
  'export.warningImported':
    'Never share your private key with anyone. Anyone who has it can take everything in this wallet.',
  'export.loading': 'Loading your wallet',
  'export.ready': 'Your key is ready to view',
  'export.failed': "Your key can't be shown right now. Try again.",
} as const
