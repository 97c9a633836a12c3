/** All that a person reads in the frame with their key. The vault carries no other words than these. */
export const words = {
  waiting: 'One moment…',
  warning:
    'Never share this with anybody. Whoever has your private key or recovery phrase has your funds, and no one can take it back.',
  wallet: 'Wallet',
  showKey: 'Show private key',
  hideKey: 'Hide private key',
  showPhrase: 'Show recovery phrase',
  hidePhrase: 'Hide recovery phrase',
  copy: 'Copy',
  copyKey: 'Copy private key',
  copyPhrase: 'Copy recovery phrase',
  key: 'Private key',
  phrase: 'Recovery phrase',
  phraseNote: (path: string) =>
    `The recovery phrase restores every wallet that was made from it. This one is at the derivation path ${path}.`,
  pathNote: (path: string) => `Its derivation path is ${path}.`,
  importedNote: 'This wallet was imported, so it has no recovery phrase of ours.',
  hidden: 'Hidden again.',
  shown: 'It hides by itself after one minute, or when you leave this box.',
  copied:
    'Copied. We empty your clipboard after one minute where your browser lets us; if you leave before, copy something else.',
  copiedShort: 'Copied',
  cleared: 'Your clipboard has been emptied.',
  notCleared: 'Your browser did not let us empty the clipboard. Copy something else now.',
  notCopied: 'Your browser did not let us copy. Show it, and copy it by hand.',
  notCopiedShort: 'Could not copy',
  pressAgain: 'Something may have covered this box. Please press again.',
  noPage: 'The page did not connect. Please close this and try again.',
  tokenInAddress:
    'For your safety this was stopped: the address has a login token where others could read it.',
  invalidAddress: 'This address is not complete.',
  notOnDevice: 'This wallet is not on this device yet.',
  failed: 'The vault could not do that.',
} as const
