/** Words of a person's devices. */
export const devices = {
  'devices.remove.title': 'Remove this device?',
  'devices.remove.ownTitle': 'Remove the device you’re using?',
  'devices.remove.text': 'It can’t use your wallets any more until you confirm it’s you again.',
  'devices.remove.ownText':
    'Your wallets can’t be used here any more until you confirm it’s you again. Make sure that you know how they are recovered.',
  'devices.remove.name': 'Device',
  'devices.remove.added': 'Added',
  'devices.remove.used': 'Last used',
  'devices.remove.place': 'Place',
  'devices.remove.button': 'Remove device',
  'devices.remove.busy': 'Removing...',
  'devices.remove.failed': 'This device couldn’t be removed. Try again.',
} as const
