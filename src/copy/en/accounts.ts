/** Words of adding, replacing and removing the accounts of somebody who is logged in. */
export const accounts = {
  'account.link.email': 'Link email',
  'account.link.emailDetail': "We'll send a code to the address. Then you can log in with it as well.",
  'account.link.sms': 'Link phone',
  'account.link.smsDetail': "We'll send a code to the number. Then you can log in with it as well.",
  'account.link.passkey': 'Add a passkey',
  'account.link.passkeyDetail':
    'Log in with your fingerprint, your face or the PIN of your device instead of a code.',
  'account.link.passkeyCreate': 'Add passkey',
  'account.link.limit': 'User already has an account of type {name} linked.',
  'account.link.limitPasskeys': 'Cannot link more passkeys to account.',
  'account.link.limitTitle': "You can't add another one",
  'account.update.email': 'Update email',
  'account.update.emailDetail': "We'll send a code to the new address, which then replaces {old}.",
  'account.update.emailSame': 'This is your address already.',
  'account.update.sms': 'Update phone',
  'account.update.smsDetail': "We'll send a code to the new number, which then replaces {old}.",
  'account.update.smsSame': 'This is your number already.',
  'account.unlink.lastTitle': 'Remove your last login?',
  'account.unlink.lastDetail':
    "Without {account} you can't log in to {app} once you are logged out, and you may lose what is in your account.",
  'account.unlink.remove': 'Remove',
  'account.unlink.keep': 'Keep it',
  'account.type.email': 'email',
  'account.type.sms': 'phone',
  'account.type.crossApp': 'cross-app',
} as const
