/** Words of several calls that are approved together. */
export const calls = {
  'calls.title': 'Approve {count} transactions',
  'calls.send':
    'They are sent one after the other as soon as you approve them. If one fails, the rest is not sent.',
  'calls.title.atomic': 'Approve {count} actions at once',
  'calls.send.atomic':
    'They are sent in one transaction as soon as you approve them. If one fails, none of them has an effect.',
  'calls.list': 'In this order',
  'calls.number': '{at} of {count}',
  'calls.fees': 'Fees of all',
  'calls.sent.title': 'Transactions submitted',
  'calls.status.100': 'They are sent one after the other. You can close this window.',
  'calls.status.100.atomic': "The network hasn't confirmed it yet. You can close this window.",
  'calls.status.200': 'The network has confirmed all of them.',
  'calls.status.400': 'Nothing was sent.',
  'calls.status.500': 'The network took a fee, but none of them had an effect.',
  'calls.status.600': 'Only some of them had an effect. The rest was not sent, or failed.',
  'calls.complete.title': 'Transactions complete!',
  'calls.failed.title': 'Transactions failed',
  'calls.partly.title': 'Partly done',
  'calls.state.waiting': 'Waiting',
  'calls.state.sent': 'Pending',
  'calls.state.confirmed': 'Confirmed',
  'calls.state.reverted': 'Failed',
  'calls.state.stopped': 'Not sent',
} as const
