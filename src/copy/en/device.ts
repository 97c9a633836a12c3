/** Words of making a device one of a person's own. */
export const device = {
  'device.code.title': 'Confirm this device',
  'device.code.sentTo': 'Sent to {to}. This code lets this device use your wallet.',
  'device.choose.title': "Confirm it's really you",
  'device.choose.text': 'Choose how to show that this device is yours. Then it can use your wallet.',
  'device.choose.email': 'Code by email',
  'device.choose.sms': 'Code by SMS',
  'device.choose.password': 'Recovery password',
  'device.choose.mfa': 'Verification method',
  'device.login.title': 'Log in again',
  'device.login.text':
    'Your wallet is safe, but this device can’t use it yet. Log out, log in again and then try once more.',
  'device.later.title': 'Not on this device yet',
  'device.later.text':
    'You’ve added a way to log in only recently. To protect your wallet, it can’t be used on a new device until {time}. Devices that you already use aren’t affected.',
  'device.drive.recover.title': 'Recover your wallet',
  'device.drive.recover.text': 'Your wallet will be recovered to this device from its backup on {drive}.',
  'device.drive.recover.button': 'Recover wallet',
  'device.drive.create.title': 'Secure your account',
  'device.drive.create.text': 'Your new wallet will be backed up on {drive}.',
  'device.drive.create.button': 'Back up wallet',
  'device.drive.back-up.title': 'Update backup method',
  'device.drive.back-up.text': 'Your wallet will be backed up on {drive}. This replaces your current backup.',
  'device.drive.back-up.button': 'Back up wallet',
} as const
