/** Words of proving the recovery method that is in force. */
export const proveRecovery = {
  'prove.title': 'Confirm it’s you',
  'prove.text': 'Enter your wallet’s password to continue.',
  'prove.button': 'Continue',
  'prove.wrong': 'That password doesn’t match',
  'prove.tooMany': 'Too many attempts. Try again later.',
  'prove.failed': 'Something went wrong. Try again.',
} as const
