/** Words of signing. */
export const sign = {
  'sign.title': 'Sign message',
  'sign.description': 'Signing this message will not cost you any fees.',
  'sign.button': 'Sign and continue',
  'sign.busy': 'Signing...',
  'sign.done': 'Success',
  'sign.requestedBy': 'Requested by',
  'sign.wallet': 'Wallet',
  'sign.message': 'Message',
  'sign.readOn': 'Read the message to its end to sign it.',
  'sign.failed': 'An error has occurred, please try again.',
} as const
