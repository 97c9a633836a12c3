/** Words of what is approved in the vault's own frame. */
export const approval = {
  'approval.frame': 'Approve in your wallet',
  'approval.loading': 'Opening your wallet',
  'approval.early': 'Take a moment to review this, then press again.',
  'approval.covered': 'Something may have covered this request. Please press again.',
  'approval.unread': 'Scroll to see everything before you decide.',
  'approval.small': 'There is too little room to read this request. Make it larger, or cancel and try again.',
  'approval.moment': 'Available in a moment.',
} as const
