/** Words of linking and transferring accounts. */
export const account = {
  'account.conflict.email': 'This email address is associated with another account',
  'account.conflict.phone': 'This phone number is associated with another account',
  'account.conflict.wallet': 'This wallet address is associated with another account',
  'account.conflict.profile': 'This {kind} profile is associated with another account',
  'account.conflict.question':
    'Would you like to transfer {account} to this account? This will delete the other account.',
  'account.conflict.transfer': 'Transfer and delete account',
  'account.conflict.decline': 'No thanks',
  'account.conflict.check': 'Check the balances first',
  'account.conflict.checkDetail':
    'Check your balances in the other account, by logging into it or by using a block explorer. Transferring deletes it; for 30 days, its wallets can still be restored by contacting support.',
} as const
