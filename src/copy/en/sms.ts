/** Words of the phone field and of logging in with a code by SMS. */
export const sms = {
  'login.phone.label': 'Phone number',
  'login.phone.placeholder': 'Phone number',
  'login.phone.submit': 'Submit',
  'login.phone.country': 'Country: {country}',
  'login.phone.countries': 'Countries',
  'login.phone.search': 'Search countries',
  'login.phone.noCountry': 'No country found',
  'login.phone.notNumber': 'Please enter a valid phone number.',
  'login.phone.wrongCountry': 'No country uses this calling code.',
  'login.phone.tooShort': 'This phone number is too short.',
  'login.phone.tooLong': 'This phone number is too long.',
  'error.sms.unsubscribed':
    'This number has opted out of text messages. Reply START to our last message, or use another number.',
} as const
