import { describe, expect, test } from 'vitest'
import { addWords, createTranslate } from '../../../src/copy/copy.ts'
import { en } from '../../../src/copy/en/index.ts'
import { KitError } from '../../../src/errors/kit-error.ts'
import type { Verdict } from '../../../src/errors/verdict.ts'
import { say } from '../../../src/errors/words.ts'
import { crossAppVerdict } from '../../../src/login/cross-app/errors.ts'
import { oauthVerdict } from '../../../src/login/oauth/errors.ts'

addWords(en)
const t = createTranslate()

/** What a person reads, and whether they may try the same again. */
function read(verdict: Verdict) {
  if (verdict.show === 'screen')
    return `${t(verdict.title)} / ${say(t, verdict.detail)}${verdict.retryable ? ' (retryable)' : ''}`
  return verdict.show === 'gate' ? `the ${verdict.gate} screen` : verdict.show
}
const refused = (code: string, text = '') => new KitError(code, text, { status: 400 })

describe('spec §8 "OAuth"', () => {
  test.each([
    ['allowlist_rejected', '', 'the allowlist screen'],
    ['max_accounts_reached', '', 'the user-limit screen'],
    ['user_does_not_exist', '', 'the account-not-found screen'],
    ['account_transfer_required', '', 'conflict'],
    [
      'linked_to_another_user',
      '',
      'Authentication failed / This account has already been linked to another user.',
    ],
    ['invalid_credentials', '', 'Authentication failed / Something went wrong. Try again. (retryable)'],
    [
      'oauth_user_denied',
      '',
      'Authentication failed / Retry and check GitHub to finish connecting your account. (retryable)',
    ],
    [
      'too_many_requests',
      'Slow down',
      'Authentication failed / Too many requests. Please wait before trying again. (retryable)',
    ],
    [
      'too_many_requests',
      'The provider rate limit was reached',
      'Authentication failed / Request limit reached for GitHub. Please wait a moment and try again. (retryable)',
    ],
    [
      'oauth_account_suspended',
      '',
      'Authentication failed / Your GitHub account is suspended. Please try another login method.',
    ],
    [
      'cannot_link_more_of_type',
      '',
      'Authentication failed / You cannot authorize more than one account for this user.',
    ],
    ['oauth_unexpected', '', 'Authentication failed / Unexpected auth flow. This may be a phishing attempt.'],
    // "Other server codes pass through with their message."
    ['something_newer', 'GitHub is asleep', 'Authentication failed / GitHub is asleep (retryable)'],
    ['disallowed_login_method', 'Not with GitHub', 'Authentication failed / Not with GitHub'],
    // What the spec does not name.
    ['oauth_state_mismatch', 'x', 'Authentication failed / Something went wrong. Try again. (retryable)'],
    ['invalid_pkce_parameters', 'x', 'Authentication failed / Something went wrong. Try again. (retryable)'],
    ['signup_disabled', '', 'the account-not-found screen'],
    [
      'popup_timeout',
      '',
      'Authentication failed / Retry and check GitHub to finish connecting your account. (retryable)',
    ],
  ])('%s "%s"', (code, text, expected) => {
    expect(read(oauthVerdict('GitHub')(refused(code, text)))).toBe(expected)
  })

  test('words that no server sent are ours', () => {
    const own = new KitError('unknown_auth_error', 'Invalid code during OAuth flow.')
    expect(read(oauthVerdict('GitHub')(own))).toBe(
      'Authentication failed / Something went wrong. Try again. (retryable)',
    )
  })
})

describe('spec §8 "Cross-app"', () => {
  test.each([
    ['cross_app_invalid_app', 'Authentication failed / Invalid connected app'],
    ['cross_app_connection_not_allowed', 'Authentication failed / Invalid connected app'],
    ['popup_closed', 'Authentication failed / User rejected request (retryable)'],
    ['popup_timeout', 'Authentication failed / Authorization request timed out after 2 minutes. (retryable)'],
    [
      'oauth_user_denied',
      'Authentication failed / User denied confirmation during cross-app auth flow (retryable)',
    ],
    ['unknown_auth_error', 'Authentication failed / Invalid code during cross-app auth flow. (retryable)'],
    ['max_accounts_reached', 'the user-limit screen'],
    [
      'linked_to_another_user',
      'Authentication failed / This account has already been linked to another user.',
    ],
  ])('%s', (code, expected) => {
    expect(read(crossAppVerdict('Harbor')(refused(code)))).toBe(expected)
  })
})
