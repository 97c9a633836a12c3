/** Words of entering a code. */
export const code = {
  'login.code.title': 'Enter confirmation code',
  'login.code.sentTo': 'Sent to {to}',
  'login.code.label': 'Confirmation code, {count} digits',
  'login.code.checking': 'Checking code',
  'login.code.accepted': 'Code accepted',
  'login.code.notNumeric': 'Code should be numeric',
  'login.code.noCode': 'No code?',
  'login.code.resend': 'Resend code',
  'login.code.sent': 'Code sent',
} as const
