/** Words of funding a wallet. */
export const funding = {
  'funding.title': 'Add funds to your {wallet} wallet',
  'funding.skip': 'Not now',
  'funding.receive': 'Receive funds',
  'funding.receive.hint': 'From any wallet or exchange',
  'funding.balance': 'Balance',
  'funding.balance.loading': 'Loading',
  'funding.receive.title': 'Receive {amount} {symbol}',
  'funding.receive.any': 'Receive {symbol}',
  'funding.wallet': 'Wallet',
  'funding.receive.network': 'Network',
  'funding.receive.only': 'Only send {symbol} on {network}.',
  'funding.receive.qr': 'QR code with a payment request',
  'funding.receive.qrAddress': 'QR code with the address',
  'funding.receive.showAddress': "Your wallet can't read it? Show the address alone",
  'funding.receive.showRequest': 'Show the payment request',
  'funding.receive.wrong.title': 'Sent on another network?',
  'funding.receive.wrong.ethereum':
    'On networks that are compatible with Ethereum it is at this same address. Nothing is lost: open your wallet on that network to use it or send it on.',
  'funding.receive.wrong.solana':
    "This address exists on Solana alone. Ask whoever has sent it whether it can be recovered; most networks refuse an address that isn't theirs.",
  'funding.receive.waiting': 'Waiting for your funds',
  'funding.receive.arrived': 'Received {amount} {symbol}',
  'funding.receive.partly': 'Received {amount} {symbol} of {total} {symbol}',
  'funding.receive.unreachable': "The balance can't be read at the moment. Trying again.",
} as const
