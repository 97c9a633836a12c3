/** Words of what the user's wallets hold. */
export const balances = {
  'balances.title': 'Balances',
  'balances.none': "You don't have a wallet here yet.",
  'balances.wallet.ethereum': 'Ethereum wallet',
  'balances.wallet.solana': 'Solana wallet',
  'balances.loading': 'Loading',
  'balances.unreachable': "Couldn't be updated",
  'balances.refresh': 'Refresh',
} as const
