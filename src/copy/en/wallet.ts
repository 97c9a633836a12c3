/** Words of embedded wallets. */
export const wallet = {
  'wallet.creating.title': 'Creating your wallet',
  'wallet.creating.text': 'This will only take a moment.',
  'wallet.creating.slow': 'This is taking longer than usual. Keep this window open.',
  'wallet.connecting.title': 'Connecting your wallet',
  'wallet.connecting.text': "We're setting up your wallet on this device.",
  'wallet.connecting.slow': 'This is taking longer than usual. Keep this window open.',
  'wallet.created.new': 'Welcome',
  'wallet.created.known': 'All set!',
  'wallet.created.text': 'Your wallet is ready.',
  'wallet.created.both': 'Your wallets are ready.',
} as const
