/** Words of the vault's own window with a wallet's key. */
export const showKey = {
  'showKey.title': 'Transfer wallet',
  'showKey.text': 'Use this key to move your wallet to another app.',
  'showKey.loading': 'Loading your wallet',
  'showKey.warning':
    "Never share this with anyone. Anyone who has your private key or recovery phrase controls your funds, and this can't be undone.",
  'showKey.key.name': 'Private key',
  'showKey.key.show': 'Show private key',
  'showKey.key.hide': 'Hide private key',
  'showKey.key.copy': 'Copy private key',
  'showKey.phrase.name': 'Recovery phrase',
  'showKey.phrase.show': 'Show recovery phrase',
  'showKey.phrase.hide': 'Hide recovery phrase',
  'showKey.phrase.copy': 'Copy recovery phrase',
  'showKey.phraseNote':
    'The recovery phrase restores every wallet that was made from it. This one is at the derivation path {path}.',
  'showKey.importedNote': 'This wallet was imported, so it has no recovery phrase here.',
  'showKey.copyNote':
    'Showing it is safer than copying it: every site that you once allowed to read your clipboard can read a copied key.',
  'showKey.shown': 'It will be hidden after one minute, or when you leave this window.',
  'showKey.hidden': 'Hidden again.',
  'showKey.copied':
    'Copied. We clear your clipboard when you press Done, or after one minute, if your browser allows it. Paste it before, and keep this window open until then.',
  'showKey.cleared': 'Your clipboard has been cleared.',
  'showKey.notCleared': 'Your browser did not let us clear the clipboard. Copy something else now.',
  'showKey.notCopied': 'Your browser did not let us copy. Show it and copy it by hand.',
  'showKey.failed': "Your key can't be shown right now. Try again.",
  'showKey.done': 'Done',
} as const
