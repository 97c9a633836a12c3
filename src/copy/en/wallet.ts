/** Words of embedded wallets. */
export const wallet = {
  'wallet.creating.title': 'Creating your wallet',
  'wallet.creating.text': 'This takes a moment.',
  'wallet.creating.slow': 'This takes longer than usual. Keep this window open.',
  'wallet.connecting.title': 'Connecting your wallet',
  'wallet.connecting.text': 'Your wallet is being brought to this device.',
  'wallet.connecting.slow': 'This takes longer than usual. Keep this window open.',
  'wallet.created.new': 'Welcome',
  'wallet.created.known': 'All set!',
  'wallet.created.text': 'Your wallet is ready.',
  'wallet.created.both': 'Your wallets are ready.',
  'wallet.created.address': 'Wallet address',
} as const
