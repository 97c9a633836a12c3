/** Words of logging in and signing up with a passkey. */
export const passkey = {
  'login.passkey.waiting': 'Waiting for your passkey',
  'login.passkey.follow': 'Follow the steps on your browser or device.',
  'login.passkey.slow': "Don't see anything? Go back and try again, or use another method.",
  'login.passkey.making': 'Adding your passkey',
  'login.passkey.done': 'Passkey verified',
  'login.passkey.made': 'Passkey added',
  'login.passkey.signUp': 'Sign up with a passkey',
  'login.passkey.otherWay': 'Use another method',
  'login.passkey.notNow': 'Not now',
  'login.passkey.hint':
    'No passkey yet? Sign up with another method first, then add a passkey to your account.',
  'login.passkey.hintHere': 'No passkey yet? Sign up with one now.',
  'error.passkey.title': 'Something went wrong',
  'error.passkey.notAllowed': 'Passkey request timed out or rejected by user.',
  'error.passkey.cannotLinkMore': 'Cannot link more passkeys to account.',
  'error.passkey.unknown': 'Unknown error occurred.',
  'error.passkey.unsupported': 'WebAuthn is not supported in this browser',
} as const
