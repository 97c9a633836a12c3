/** Words of linking, updating, unlinking and transferring accounts. */
export const account = {
  'account.conflict.email': 'This email address is associated with another account',
  'account.conflict.phone': 'This phone number is associated with another account',
  'account.conflict.wallet': 'This wallet address is associated with another account',
  'account.conflict.profile': 'This {kind} profile is associated with another account',
  'account.conflict.question':
    'Would you like to transfer {account} to this account? This will delete the other account.',
  'account.conflict.transfer': 'Transfer and delete account',
  'account.conflict.done': 'Account transferred',
  'account.conflict.decline': 'No thanks',
  'account.conflict.check': 'Check the balances first',
  'account.conflict.checkDetail':
    'Log in to the other account or use a block explorer. After the transfer, support can restore its wallets for 30 days.',
} as const
