/** Words of operations of smart accounts. */
export const smartAccount = {
  'sponsor.declined.title': "The fee isn't paid for you",
  'sponsor.declined.titleOf': "{sponsor} doesn't pay this fee",
  'sponsor.declined.detail': 'You can pay it yourself, or cancel. Nothing was sent.',
  'sponsor.declined.pay': 'Pay the fee yourself',
  'bundler.-32500': 'Your smart account did not accept it.',
  'bundler.-32501': "The app's sponsor did not accept it.",
  'bundler.-32502': "It breaks a rule of this network's smart accounts.",
  'bundler.-32503': 'It was not sent in time.',
  'bundler.-32504': "The app's sponsor is paused for a while.",
  'bundler.-32505': "The app's sponsor has not deposited enough.",
  'bundler.-32507': 'Your smart account did not accept the signature.',
  'bundler.-32508': "The app's sponsor has run out of funds.",
} as const
