/** Words of the screens between a login and the app. */
export const gate = {
  'gate.terms.title': 'One last step',
  'gate.terms.text': 'By signing up, you agree to our terms and privacy policy.',
  'gate.terms.view': 'View Terms',
  'gate.terms.viewPrivacy': 'View Privacy Policy',
  'gate.terms.decline': 'No thanks',
  'gate.terms.accept': 'Accept',
  'gate.allowlist.title': "You don't have access to this app",
  'gate.allowlist.detail': 'Have you been invited?',
  'gate.allowlist.button': 'Try another account',
  'gate.notFound.title': 'Account not found',
  'gate.notFound.detail': 'Please try logging in again or go to the app to create an account.',
  'gate.notFound.button': 'Try another account',
  'gate.userLimit.title': 'Unable to sign in',
  'gate.userLimit.detail': 'This application has reached its user limit and cannot sign in new users.',
  'gate.userLimit.button': 'Try another account',
} as const
