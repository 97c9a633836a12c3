/** Words of asking another app to sign or send with its wallet. */
export const crossAppRequests = {
  'crossApp.window.title': 'Review in {app}',
  'crossApp.window.text': 'Review the request in the window that just opened.',
  'crossApp.window.slow': 'The window may be behind this one. You can also close this and start over.',
  'crossApp.ready.title': 'Continue in {app}',
  'crossApp.ready.text': '{app} will open in a new window, where you review the request.',
  'crossApp.ready.open': 'Open {app}',
  'crossApp.blocked.title': 'The {app} window was blocked',
  'crossApp.blocked.text': 'Your browser blocked the {app} window. Open it from here.',
  'error.crossApp.request': 'Request failed',
  'error.crossApp.readOnly': 'Cannot transact against a read-only provider app',
  'error.crossApp.wallet': 'Cannot request a signature with this wallet address',
  'error.crossApp.token': 'Transactions require a valid token',
  'error.crossApp.initialize': 'Failed to initialize signature request',
  'error.crossApp.requestTimeout': 'Request timeout',
  'error.crossApp.mayBeSent':
    'Your transaction may have been sent. Look in the other app before you send it again.',
} as const
