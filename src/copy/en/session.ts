/** Words for somebody whose session has ended while a dialog was open, or the page was left to go on with one. */
export const session = {
  'session.changedTitle': "You're no longer logged in here",
  'session.changed': 'You logged out or changed accounts in another tab, or your session has ended.',
} as const
