/** Words of the captcha. */
export const captcha = {
  'login.captcha.checking': 'Checking that you are a human...',
  'login.captcha.asking': 'Answer the question below to continue.',
  'login.captcha.retry': 'Retry',
  'error.captcha.failed': 'You did not pass CAPTCHA. Please try again.',
  'error.captcha.advice': 'If you use an adblocker or a VPN, turn it off and try again.',
  'error.captcha.lateTitle': 'Something went wrong!',
  'error.captcha.lateDetail': 'Please try again later.',
} as const
