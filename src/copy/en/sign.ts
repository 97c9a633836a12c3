/** Words of signing a message, and of whatever else is signed. */
export const sign = {
  'sign.title': 'Sign message',
  'sign.description': 'Signing this message will not cost you any fees.',
  'sign.button': 'Sign and continue',
  'sign.busy': 'Signing...',
  'sign.done': 'Success',
  'sign.requestedBy': 'Requested by',
  'sign.wallet': 'Wallet',
  'sign.message': 'Message',
  'sign.readOn': 'Read to the end of the message to sign it.',
  'sign.failed': 'An error has occurred, please try again.',
  'sign.network': 'Network',
  'sign.networkSaid': '{network}, according to this page',
  'sign.bytes': 'This is data, not text. Signing it will not cost you any fees.',
} as const
