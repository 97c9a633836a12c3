/** The catalogue's texts of second factors, held against what the screens and programs say. */
import { describe, expect, test } from 'vitest'
import { mfa } from '../../src/copy/en/mfa.ts'
import { failureWords } from '../../src/mfa/words.ts'
import { passkeyName } from '../../src/protocol/user.ts'
import { fromVault } from '../../src/wallets/embedded/vault-frame.ts'

describe('the words of second factors are the catalogue’s', () => {
  test.each([
    ['mfa.intro.title', 'Transaction Protection'],
    ['mfa.notNow', 'Not now'],
    ['mfa.totp', 'Authenticator app'],
    ['mfa.sms', 'SMS'],
    ['mfa.passkey', 'Passkey'],
    ['mfa.choose.title', 'Choose a verification method'],
    ['mfa.choose.none', 'How would you like to verify your identity? You can change this later.'],
    ['mfa.choose.some', 'To add or delete verification methods, verification is required.'],
    ['mfa.choose.recommended', 'Recommended'],
    ['mfa.choose.enabled', 'Enabled'],
    ['mfa.choose.disabled', 'Disabled'],
    ['mfa.passkeys.first', 'Add a new passkey'],
    ['mfa.passkeys.enable', 'Enable passkeys'],
    ['mfa.passkeys.add', 'Add new passkey'],
    ['mfa.passkeys.all', 'View All'],
    ['mfa.verify.title', 'Verify your identity'],
    ['mfa.verify.passkeyTitle', 'Verifying with passkey'],
    ['mfa.code.other', 'Choose another method'],
    ['mfa.code.numeric', 'Passcode can only be numbers'],
    ['mfa.code.complete', 'Passcode must be exactly 6 numbers'],
  ] as const)('%s', (key, words) => {
    expect(mfa[key]).toBe(words)
  })

  test('and name the app whose text messages somebody agrees to', () => {
    expect(mfa['mfa.phone.consent']).toContain('{app}')
  })

  test('for every failure', () => {
    const shown = Object.fromEntries(
      Object.entries(failureWords).map(([failure, key]) => [failure, mfa[key]]),
    )
    expect(shown).toMatchObject({
      wrong: 'The code you entered is not valid',
      'max-attempts':
        'You have exceeded the maximum number of attempts. Please close this window and try again in 10 seconds.',
      timeout: 'You have exceeded the time limit for code entry. Please try again in 30 seconds.',
      declined: 'Verification canceled',
      unsupported: 'Unsupported MFA method',
      other: 'Something went wrong.',
    })
  })
})

test('what programs are told is the catalogue’s too', () => {
  const told = (type: string) => fromVault(type, '').shortMessage
  expect(told('missing_or_invalid_mfa')).toBe('MFA verification failed, retry.')
  expect(told('mfa_timeout')).toBe('Timed out waiting for MFA code')
  expect(told('mfa_verification_max_attempts_reached')).toBe('Max MFA verification attempts reached')
  expect(told('mfa_canceled')).toBe('MFA canceled')
})

test('a passkey without a name is of an unknown device', () => {
  const passkey = { type: 'passkey', authenticatorName: undefined, createdWithBrowser: undefined } as never
  expect(passkeyName(passkey)).toBe('Unknown device')
})
