/** Words of failures while a wallet is recovered, secured or exported. */
export const recoveryErrors = {
  'error.password.wrong': 'Invalid recovery password, please try again.',
  'error.password.other': 'An error has occurred, please try again.',
  'error.password.tooMany': 'Too many attempts. Please wait an hour, then try again.',
  'error.password.set': 'Error setting password on your wallet',
  'error.drive.google-drive': 'Google Drive',
  'error.drive.icloud': 'Apple iCloud',
  'error.drive.recover': 'Recovery with {provider} unsuccessful',
  'error.drive.backUp': 'Back up with {provider} unsuccessful',
  'error.drive.present': 'Confirmation with {provider} unsuccessful',
  'error.drive.account':
    'Please verify that you are selecting the {provider} account associated with your backup.',
  'error.drive.declined': 'Access to {provider} was not granted. Please try again.',
  'error.recovery.set': 'Unable to set recovery on wallet',
  'error.recovery.unsupportedTitle': 'Recovery method not supported',
  'error.recovery.unsupported':
    "Your wallet is safe, but this version of the app doesn't support its recovery method. Update the app, or use a device that already has this wallet.",
  'error.recovery.disallowed': "This app doesn't offer that recovery method.",
  'error.export': "Unable to show this wallet's key",
} as const
