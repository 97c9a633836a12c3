/** Words that belong to no single screen. */
export const common = {
  'common.back': 'Back',
  'common.close': 'Close',
  'common.cancel': 'Cancel',
  'common.continue': 'Continue',
  'common.step': 'Step {step} of {count}',
  'common.position': '{position} of {count}',
  'common.retry': 'Try again',
  'common.loading': 'Loading',
  'common.copy': 'Copy',
  'common.copied': 'Copied',
  'common.copyAddress': 'Copy address',
  'common.copyFailed': 'Press and hold to copy',
  'common.success': 'Success!',
  'common.newTab': 'opens in a new tab',
} as const
