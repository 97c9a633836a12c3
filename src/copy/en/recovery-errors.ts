/** Words of what goes wrong while a wallet is recovered, backed up or shown. Spec §8 "Embedded wallet and recovery". */
export const recoveryErrors = {
  'error.password.wrong': 'Invalid recovery password, please try again.',
  'error.password.other': 'An error has occurred, please try again.',
  'error.password.tooMany': 'Too many attempts. Please wait an hour, then try again.',
  'error.password.set': 'Error setting password on your wallet',
  'error.drive.google-drive': 'Google Drive',
  'error.drive.icloud': 'Apple iCloud',
  'error.drive.recover': 'Recovery with {provider} unsuccessful',
  'error.drive.backUp': 'Back up with {provider} unsuccessful',
  'error.drive.account':
    'Please verify that you are selecting the {provider} account associated with your backup.',
  'error.drive.declined': 'Access to {provider} was not granted. Please try again.',
  'error.recovery.set': 'Unable to set recovery on wallet',
  'error.recovery.unsupportedTitle': 'Recovery method not supported',
  'error.recovery.unsupported':
    'This wallet is backed up in a way that this version of the app does not know. Your wallet is safe. Update the app, or use the device on which you last used the wallet.',
  'error.recovery.disallowed': 'This app does not offer that backup method.',
  'error.export': 'Unable to show the key of this wallet',
} as const
