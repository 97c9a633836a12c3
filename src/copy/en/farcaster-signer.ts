/** Words of letting a key of the vault sign on Farcaster. */
export const farcasterSigner = {
  'signer.farcaster.title': 'Allow posting on Farcaster',
  'signer.farcaster.scan': "Scan with your phone's camera.",
  'signer.farcaster.here': 'Approve in the Farcaster app on this phone, then come back here.',
  'signer.farcaster.open': 'Open Farcaster',
  'signer.farcaster.qr': 'QR code that opens the request in Farcaster',
  'signer.farcaster.copy': 'Copy link',
  'signer.farcaster.waiting': 'Waiting for your approval',
  'signer.farcaster.slow':
    "Approve the request in the Farcaster app. If it isn't there, scan the code again.",
  'signer.farcaster.slowHere': "Approve the request in the Farcaster app. If it isn't there, open it again.",
  'signer.farcaster.nothing': "Didn't open? Scan the code with another phone, or get the app.",
  'signer.farcaster.get': 'Get Farcaster',
  'signer.farcaster.checking': 'Connecting your account',
  'signer.farcaster.checkingText': 'This will only take a moment.',
  'signer.farcaster.checkingSlow': 'This is taking longer than usual. Keep this page open.',
  'signer.farcaster.done': 'Successfully connected with Farcaster',
  'signer.farcaster.otherWay': 'Close',
} as const
