import { errorScreenVerdict } from '../../errors/error-screen.ts'
import type { KitError } from '../../errors/kit-error.ts'
import { judge, serverText, type Table, type Verdict } from '../../errors/verdict.ts'

/** What a refused code means for the person. */
const table = {
  invalid_credentials: { show: 'inline', words: { key: 'error.code.invalid' } },
  cannot_link_more_of_type: (error) => ({ show: 'inline', words: serverText(error, 'error.code.other') }),
  max_accounts_reached: { show: 'gate', gate: 'user-limit' },
  user_does_not_exist: { show: 'gate', gate: 'account-not-found' },
  // An app that takes no new users says so in the same words, whichever code it uses.
  signup_disabled: { show: 'gate', gate: 'account-not-found' },
  linked_to_another_user: {
    show: 'screen',
    title: 'error.linked.title',
    detail: { key: 'error.linked.detail' },
    retryable: false,
  },
  // The code was right and is still good; another one would be refused like it, until the factor is gone.
  mfa_method_not_allowed: (error) => ({
    show: 'screen',
    title: 'error.notAllowed.title',
    detail: serverText(error, 'error.smsFactor.detail'),
    retryable: false,
  }),
  disallowed_plus_email: { show: 'start', words: { key: 'login.email.noPlus' } },
  account_transfer_required: { show: 'conflict', words: { key: 'error.code.other' } },
  // Nobody has judged the code: it is kept, and can be sent off again.
  client_request_timeout: errorScreenVerdict,
  network_unavailable: errorScreenVerdict,
  otherwise: { show: 'inline', words: { key: 'error.code.other' } },
} as const satisfies Table

export const loginCodeVerdict = (error: KitError): Verdict => judge(table, error)

/** What follows a right code was refused: the code is used up, and another attempt needs a new one. */
const ofRightCode: ReadonlySet<string> = new Set([
  'account_transfer_required',
  'cannot_link_more_of_type',
  'linked_to_another_user',
  'max_accounts_reached',
  'signup_disabled',
  'user_does_not_exist',
])
export const wasRight = ({ code }: KitError): boolean => ofRightCode.has(code)
