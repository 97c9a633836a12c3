/** Words of importing a private key. */
export const importKey = {
  'import.title': 'Import your wallet',
  'import.text': 'Paste its private key. It stays in your wallet, and {app} never sees it.',
  'import.textAlone': 'Paste its private key. It stays in your wallet, and the app never sees it.',
  'import.label.ethereum': 'Ethereum private key',
  'import.label.solana': 'Solana private key',
  'import.hint.ethereum': '64 characters, with or without 0x in front',
  'import.hint.solana': '87 or 88 characters',
  'import.show': 'Show private key',
  'import.hide': 'Hide private key',
  'import.button': 'Import wallet',
  'import.busy': 'Importing...',
  'import.invalid': 'This is not a private key for this network',
  'import.failed': "Your wallet couldn't be imported. Try again.",
} as const
