/** Words of operations of smart accounts. */
export const smartAccount = {
  'sponsor.declined.title': "The fee isn't paid for you",
  'sponsor.declined.titleOf': "{sponsor} doesn't pay this fee",
  'sponsor.declined.detail': 'You can pay it yourself, or cancel. Nothing was sent.',
  'sponsor.declined.pay': 'Pay the fee yourself',
} as const
