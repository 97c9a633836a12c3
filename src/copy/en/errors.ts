import { retryErrors } from './retry-errors.ts'

/** Words of failures that no single feature owns. */
export const errors = {
  ...retryErrors,
  'error.code.invalid': 'Invalid or expired verification code',
  'error.code.other': 'Issue verifying code',
  'error.offline.title': 'You seem to be offline',
  'error.offline.detail': 'Check your connection and try again.',
  'error.load.title': "That didn't load",
  'error.load.detail': 'Check your connection and try again. If it keeps failing, reload the page.',
  'error.generic.title': 'Something went wrong',
  'error.generic.detail': 'Try again later',
  'error.timeout.title': 'Timed out',
  'error.timeout.detail': 'The server took too long to respond.',
  'error.notAllowed.title': 'Not allowed',
  'error.notAllowed.detail': 'Try another method',
  'error.smsFactor.detail':
    'Text messages are your second factor. Remove them there before you log in with them.',
  'error.linked.title': 'Authentication failed',
  'error.linked.detail': 'This account has already been linked to another user.',
  'error.region.title': 'This region is not supported',
  'error.region.detail': 'SMS authentication from this region is not available',
  'error.tooMany.title': 'Request failed',
  'error.captcha.detail': 'Please try again.',
  'error.frozen.title': 'Your account is frozen',
  'error.frozen.detail': "Confirm that it's you in your account settings. Until then nothing can be changed.",
  'error.config.title': 'Something went wrong',
  'error.config.detail': 'This app is not set up correctly.',
  'error.wallet.create': 'Failed to create wallet',
  'error.wallet.unreachable': 'Cannot connect to wallet proxy',
  'error.wallet.recover': 'Unable to recover wallet',
  'error.wallet.blocked':
    "We can't reach your wallet. A content blocker or this page's security policy may be blocking it.",
} as const
