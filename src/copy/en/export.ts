/** Words of taking a wallet's key away. Spec §2 "Key export". */
export const keyExport = {
  'export.title': 'Transfer wallet',
  'export.text': 'Take the key of this wallet to another wallet app.',
  'export.warning':
    'Never share your private key or seed phrase with anyone. Whoever has it can take everything in this wallet.',
  'export.warningImported':
    'Never share your private key with anyone. Whoever has it can take everything in this wallet.',
  'export.loading': 'Loading the wallet’s own page',
  'export.ready': 'You can show the key now',
  'export.failed': 'The key can’t be shown now. Try again.',
} as const
