/** Words of failures that a screen shows beside its button, which tries again. */
export const retryErrors = {
  'error.network.detail': "We can't reach the server. Check your connection.",
  'error.tooMany.detail': 'Too many attempts.',
  'error.session': 'An error has occured, please login again.',
} as const
