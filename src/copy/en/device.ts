/** Words of making a device one of a person's own. */
export const device = {
  'device.code.title': 'Confirm this device',
  'device.code.sentTo': 'Sent to {to}. This code lets this device use your wallet.',
  'device.choose.title': 'This browser is new to your wallet',
  'device.choose.text': "Confirm that it's you. Then this browser can use your wallet too.",
  'device.choose.device': 'Approve on your other device',
  'device.choose.passkey': 'Passkey for your wallet',
  'device.choose.wallet': 'Sign with your wallet',
  'device.choose.provider': 'Log in to {provider}',
  'device.choose.email': 'Code by email',
  'device.choose.sms': 'Code by SMS',
  'device.choose.password': 'Recovery password',
  'device.choose.mfa': 'Verification method',
  'device.login.title': 'Log in again',
  'device.login.text':
    "Your wallet is safe, but this device can't use it yet. Log out, log in again and then try once more.",
  'device.alone.title': 'Your wallet is on another device',
  'device.alone.text':
    "It's safe there, but this browser can't use it yet. On the device that has it, open your account settings and add a passkey for your wallet or a recovery password.",

  'device.only.new': 'Your wallet is ready',
  'device.only.title': 'Only in this browser',
  'device.only.text':
    'This wallet lives in this browser alone until you add a passkey or a recovery password.',
  'device.only.passkeyText': 'This wallet lives in this browser alone until you add a passkey.',
  'device.only.passkey': 'Add a passkey',
  'device.only.password': 'Set a recovery password',
  'device.only.later': 'Not now',
  'device.only.failed': "That didn't work. Try again.",

  'device.approval.title': 'Approve on your other device',
  'device.approval.text': 'Open {app} on a device that uses your wallet already, and choose this number.',
  'device.approval.until': 'Good until {time}',
  'device.approval.approved': 'This browser can use your wallet now',
  'device.approval.denied.title': 'This was denied',
  'device.approval.denied.text': 'On your other device another number was chosen, or the request was denied.',
  'device.approval.expired.title': 'The request has ended',
  'device.approval.expired.text':
    'Nobody approved it in time. Ask again once you have your other device at hand.',
  'device.approval.again': 'Ask again',

  'device.passkey.use.title': 'Use the passkey for your wallet',
  'device.passkey.use.text': "Your browser asks for the passkey that you've added for your wallet.",
  'device.passkey.use.button': 'Use passkey',
  'device.passkey.create.title': 'Add a passkey for your wallet',
  'device.passkey.create.text':
    'With it you can use your wallet on another device. Your password manager or this device keeps it.',
  'device.passkey.create.button': 'Add passkey',
  'device.passkey.busy': 'Follow your browser',
  'device.passkey.declined': 'Your browser got no answer from a passkey. Try again.',
  'device.passkey.known': 'This passkey has been added already.',
  'device.passkey.unsupported': "This browser can't use passkeys here.",
  'device.passkey.wrong': "This passkey isn't one for your wallet.",
  'device.passkey.other': "That didn't work. Try again.",

  'device.wallet.title': 'Sign with your wallet',
  'device.wallet.text': 'Sign a message to show that this browser is yours. It costs nothing.',
  'device.wallet.none': "There's no such wallet in this browser. Open it in the browser that has it.",
  'device.wallet.searching': 'Looking for your wallet',
  'device.wallet.declined': "The message wasn't signed. Try again.",
  'device.wallet.another':
    "This wallet doesn't have that address. Switch to it in your wallet, then try again.",
  'device.wallet.timeout': "Your wallet didn't answer. Open it, then try again.",
  'device.wallet.wrong': "The signature doesn't fit this wallet. Try again.",
  'device.wallet.other': "Your wallet couldn't sign the message. Try again.",

  'device.drive.recover.title': 'Recover your wallet',
  'device.drive.recover.text':
    'Your wallet will be recovered to this device from its recovery file on {drive}.',
  'device.drive.recover.button': 'Recover wallet',
  'device.drive.create.title': 'Secure your account',
  'device.drive.create.text': 'A recovery file for your new wallet will be stored on {drive}.',
  'device.drive.create.button': 'Store recovery file',
  'device.drive.back-up.title': 'Update backup method',
  'device.drive.back-up.text':
    'A recovery file for your wallet will be stored on {drive}. This replaces your current recovery method.',
  'device.drive.back-up.button': 'Store recovery file',
} as const
