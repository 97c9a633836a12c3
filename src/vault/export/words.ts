/** All that a person reads in the frame with their key. The vault carries no other words than these. */
export const words = {
  waiting: 'One moment…',
  warning:
    "Never share this with anyone. Anyone who has your private key or recovery phrase controls your funds, and this can't be undone.",
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
  importedNote: 'This wallet was imported, so it has no recovery phrase here.',
  copyNote:
    'Showing it is safer than copying it: every site that you once allowed to read your clipboard can read a copied key.',
  hidden: 'Hidden again.',
  shown: 'It will be hidden after one minute, or when you leave this box.',
  copied:
    'Copied. We clear your clipboard after one minute if your browser allows it. If you leave sooner, copy something else.',
  copiedShort: 'Copied',
  cleared: 'Your clipboard has been cleared.',
  notCleared: 'Your browser did not let us clear the clipboard. Copy something else now.',
  notCopied: 'Your browser did not let us copy. Show it and copy it by hand.',
  notCopiedShort: 'Could not copy',
  pressAgain: 'Something may have covered this box. Please press again.',
  noPage: 'The page did not connect. Please close this and try again.',
  tokenInAddress:
    'This was stopped for your safety: the address contains a login token that others could read.',
  invalidAddress: 'This address is incomplete.',
  notOnDevice: 'This wallet is not on this device yet.',
  loggedOut: 'You have logged out.',
  prove: "Enter your wallet's password to continue.",
  password: 'Password',
  proceed: 'Continue',
  wrongPassword: "That password doesn't match.",
  proveElsewhere: "Your wallet's recovery has to be confirmed first. Please use the app's own page for that.",
  ownWindow:
    "Your key isn't shown in this box, only in a window of your wallet. Export your wallet from the app's account settings: they open that window. If there are none, ask the app's support.",
  failed: 'The vault could not complete the request.',
} as const
