/** Words of payments for requests (x402). */
export const x402 = {
  'x402.title': 'Review payment',
  'x402.description': 'The site asks for something that its seller wants to be paid for.',
  'x402.button': 'Pay',
  'x402.busy': 'Paying...',
  'x402.seller': 'Seller',
  'x402.words': "In the seller's words",
  'x402.amount': 'Amount',
  'x402.token': 'Token',
  'x402.recipient': 'Recipient',
  'x402.left': "Left of today's limit",
  'x402.leftAfter': '{amount} after this payment',
  'x402.fee': 'Fee',
  'x402.noFee': 'None for you',
  'x402.withoutReview':
    'For 24 hours, pay this seller without asking me: up to {most} at a time, and {sum} in all.',
} as const
