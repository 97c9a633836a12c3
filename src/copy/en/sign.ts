/** Words of signing a message, and of whatever else is signed. */
export const sign = {
  'sign.title': 'Sign message',
  'sign.description': 'Signing this message will not cost you any fees.',
  'sign.gives':
    'Signing takes no fee. Whoever has the signature can do what is listed here, with what is yours.',
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
  'sign.concern.key':
    'Some services make a key from this signature. Anyone who has that key may take what it protects.',
  'sign.concern.grant': 'This may let someone else act for you.',
  'sign.concern.site': 'This message speaks of another site than the one that asks.',
  'sign.concern.hash':
    'This stands for something that nobody can read here, such as an order or a payment. Whoever has the signature may take what you have.',
  'sign.concern.data': 'This message is meant for programs. It may let someone else act for you.',
  'sign.farcaster.title': 'Sign for Farcaster',
  'sign.farcaster.description':
    'This does something on Farcaster in your name, such as a post. Only its fingerprint can be shown here.',
  'code.row': 'Wallet has code',
  'warning.foreign-code':
    'Your wallet has code that this app does not know. It can move everything that the wallet holds on this network.',
  'sign.bytes': 'This is data, not text. Signing it will not cost you any fees.',
} as const
