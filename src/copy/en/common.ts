/** Words that belong to no single screen. */
export const common = {
  'common.back': 'Back',
  'common.close': 'Close',
  'common.cancel': 'Cancel',
  'common.continue': 'Continue',
  'common.retry': 'Try again',
  'common.copy': 'Copy',
  'common.copied': 'Copied',
  'common.copyAddress': 'Copy address',
  'common.copyFailed': 'Press and hold to copy',
  'common.success': 'Success!',
  'common.busy': 'Working',
  'common.newTab': 'opens in a new tab',
  'error.offline.title': 'You seem to be offline',
  'error.offline.detail': 'Check your connection and try again.',
  'error.load.title': 'That didn’t load',
  'error.load.detail': 'Check your connection and try again. If it keeps failing, reload the page.',
} as const
