/** Words of delegated actions in the page's dialog: what became of them, and stopping them. */
export const delegation = {
  'delegation.revoke.title': 'Revoke permission',
  'delegation.revoke.text.one': "{app} can't act with your wallet any more.",
  'delegation.revoke.text.many': "{app} can't act with your wallets any more.",
  'delegation.revoke.confirm': 'Confirm',
  'delegation.revoke.deny': 'Deny',
  'delegation.revoke.busy': 'Revoking...',
  'delegation.enabled.title': 'Delegated actions enabled',
  'delegation.enabled.text': "You can stop them at any time in your account's settings.",
  'delegation.revoked.title': 'Permission revoked',
  'delegation.revoked.text': 'No server can act with your wallets now.',
  'delegation.notEnabled.title': 'Delegated actions not enabled',
  'delegation.notRevoked.title': 'Permission not revoked',
  'delegation.failed.text': 'Something went wrong. Please try again.',
} as const
