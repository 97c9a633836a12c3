import { describe, expect, test } from 'vitest'
import { addWords, createTranslate } from '../../../src/copy/copy.ts'
import { en } from '../../../src/copy/en/index.ts'
import { errorCodes } from '../../../src/errors/codes.ts'
import { KitError } from '../../../src/errors/kit-error.ts'
import type { Verdict } from '../../../src/errors/verdict.ts'
import { say } from '../../../src/errors/words.ts'
import { walletVerdict } from '../../../src/wallets/connect/errors.ts'
import { walletsLimits } from '../../../src/wallets/limits.ts'

addWords(en)
const t = createTranslate()

/** What a person reads, and whether they may try the same again. */
function read(verdict: Verdict) {
  if (verdict.show === 'screen')
    return `${t(verdict.title)} / ${say(t, verdict.detail)}${verdict.retryable ? ' (retryable)' : ''}`
  return verdict.show === 'gate' ? `the ${verdict.gate} screen` : verdict.show
}
const failed = (code: string, { retryable = false, text = '' } = {}) =>
  new KitError(code, text, { retryable })
const rabby = walletVerdict('Rabby')

describe('spec §4: a connection error is one of these', () => {
  test.each([
    [
      'linked_to_another_user',
      'Authentication failed / This account has already been linked to another user.',
    ],
    ['wallet_timeout', "Timed out / Rabby didn't respond. Open it, then try again. (retryable)"],
    [
      'wallet_rejected',
      "Request rejected / You declined the request in Rabby. Try again when you're ready. (retryable)",
    ],
    ['max_accounts_reached', 'the user-limit screen'],
    ['generic_connect_wallet_error', 'Unable to connect to wallet / Check Rabby, then try again.'],
  ])('%s', (code, seen) => expect(read(rabby(failed(code)))).toBe(seen))
})

describe('wire 3.5 says what is worth another try', () => {
  test.each(['wallet_request_pending', 'wallet_unauthorized', 'unsupported_method', 'unsupported_chain_id'])(
    '%s is not',
    (code) => expect(rabby(failed(code, { retryable: true }))).toMatchObject({ retryable: false }),
  )
  test.each(['wallet_rejected', 'wallet_disconnected', 'wallet_timeout', 'network_unavailable'])(
    '%s is',
    (code) => expect(rabby(failed(code))).toMatchObject({ retryable: true }),
  )
  test.each([true, false])('what a wallet has no name for says so itself: %s', (retryable) =>
    expect(rabby(failed('generic_connect_wallet_error', { retryable }))).toMatchObject({ retryable }),
  )
})

test('after two failed retries nobody is asked for a third', () => {
  const tired = walletVerdict('Rabby', walletsLimits.walletConnectionRetries)
  expect(read(tired(failed('wallet_timeout')))).toBe(
    'Unable to connect wallet / Use a different wallet, or try again later.',
  )
  expect(read(walletVerdict('Rabby', 1)(failed('wallet_timeout')))).toContain('(retryable)')
  // What was not worth a retry keeps its own words, and gates stay gates.
  expect(read(tired(failed('wallet_not_installed')))).toBe(read(rabby(failed('wallet_not_installed'))))
  expect(read(tired(failed('allowlist_rejected')))).toBe('the allowlist screen')
})

test('the server’s own text is shown where the protocol requires it', () => {
  expect(read(rabby(failed('disallowed_login_method', { text: 'No wallets here.' })))).toBe(
    'Not allowed / No wallets here.',
  )
  expect(read(rabby(failed('cannot_link_more_of_type', { text: 'Three are enough.' })))).toBe(
    'Authentication failed / Three are enough.',
  )
})

test('there are words for every code and every name of a wallet', () => {
  for (const name of ['', 'toString', '{wallet}', '$&', '<b>', '\u202egnp']) {
    for (const code of [...errorCodes, 'brand_new_code', '__proto__', 'constructor', 'otherwise']) {
      const seen = read(walletVerdict(name)(failed(code)))
      expect(seen, code).toMatch(/\w/)
      if (!name.includes('{')) expect(seen, code).not.toMatch(/\{\w+\}|error\.\w/)
    }
  }
})
