/** Words of what the user's wallets hold. */
export const balances = {
  'balances.title': 'Balances',
  'balances.none': "You don't have a wallet here yet.",
  'balances.wallet.ethereum': 'Ethereum wallet',
  'balances.wallet.solana': 'Solana wallet',
  'balances.loading': 'Loading',
  'balances.unreachable': "Couldn't be updated",
  'balances.refresh': 'Refresh',
  'balances.watch.title': 'Add a token',
  'balances.watch.text':
    'It will be listed among your balances. Nothing is sent, and nobody may take anything.',
  'balances.watch.contract': 'Contract',
  'balances.watch.namesake':
    'This is another token than the {symbol} that you may know: anybody can use that symbol.',
  'balances.watch.add': 'Add token',
} as const
