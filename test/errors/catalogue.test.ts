import { describe, expect, test } from 'vitest'
import { addWords, createTranslate } from '../../src/copy/copy.ts'
import { en } from '../../src/copy/en/index.ts'
import { errorCodes } from '../../src/errors/codes.ts'
import { errorScreenVerdict } from '../../src/errors/error-screen.ts'
import { KitError } from '../../src/errors/kit-error.ts'
import { say } from '../../src/errors/words.ts'
import { loginCodeVerdict } from '../../src/login/code/errors.ts'
import { crossAppVerdict } from '../../src/login/cross-app/errors.ts'
import { farcasterVerdict } from '../../src/login/farcaster/errors.ts'
import { oauthVerdict } from '../../src/login/oauth/errors.ts'
import { passkeyVerdict } from '../../src/login/passkey/errors.ts'
import { telegramVerdict } from '../../src/login/telegram/errors.ts'
import { walletVerdict } from '../../src/wallets/connect/errors.ts'
import { families, type Judge, unknown } from './families.ts'
import { catalogue, quotes, source, specIsThere, tableRows } from './spec.ts'

addWords(en)
const t = createTranslate()
const server = 'The server says why'

/** What a person meets: where, in which words, and whether they may try again. */
function met(judge: Judge, code: string, message = server, status = 400) {
  const verdict = judge(new KitError(code, message, { status }))
  if ('words' in verdict) return { show: verdict.show, words: say(t, verdict.words) }
  if (verdict.show === 'gate') return verdict
  const { show, title, detail, retryable } = verdict
  return { show, title: t(title), detail: say(t, detail), retryable }
}

/** The codes for which a table has something of its own to say. */
const rowsOf = (judge: Judge) =>
  errorCodes.filter(
    (code) => JSON.stringify(met(judge, code)) !== JSON.stringify(met(judge, unknown)),
  ) as string[]

const gates = {
  allowlist_rejected: { show: 'gate', gate: 'allowlist' },
  max_accounts_reached: { show: 'gate', gate: 'user-limit' },
  user_does_not_exist: { show: 'gate', gate: 'account-not-found' },
}

describe.skipIf(!specIsThere)(
  'the catalogue (skipped where the specification is not beside the repository)',
  () => {
    const spec = specIsThere ? catalogue() : new Map<string, string>()
    const block = (name: string) => {
      const text = spec.get(name)
      if (!text) throw new Error(`The specification has no heading "${name}"`)
      return text
    }

    describe('Login code', () => {
      const codes: Record<string, string> = {
        'invalid credentials': 'invalid_credentials',
        'cannot link more of type': 'cannot_link_more_of_type',
        'user limit reached': 'max_accounts_reached',
        'user does not exist': 'user_does_not_exist',
        'linked to another user': 'linked_to_another_user',
        'disallowed plus email': 'disallowed_plus_email',
        'account transfer required (with nonce)': 'account_transfer_required',
        otherwise: unknown,
      }
      const results: Record<string, object> = {
        'the server message is shown': { show: 'inline', words: server },
        'the user-limit screen': gates.max_accounts_reached,
        'the account-not-found screen': gates.user_does_not_exist,
        'the error screen': { show: 'screen' },
        'return to connect-or-create with an inline error': { show: 'start' },
        'the link-conflict screen': { show: 'conflict' },
      }
      const rows = specIsThere ? tableRows(block('Login code')) : []
      test.each(rows)('%s: %s', (error, result) => {
        const [words] = quotes(result)
        const expected = words ? { show: 'inline', words } : results[result]
        expect(codes[error], `no code for "${error}"`).toBeDefined()
        expect(expected, `no meaning for "${result}"`).toBeDefined()
        expect(met(loginCodeVerdict, codes[error] ?? '')).toMatchObject(expected ?? {})
      })
      test('has no other rows', () => {
        const others = rowsOf(loginCodeVerdict).filter((code) => !Object.values(codes).includes(code))
        // An app that takes no new users answers like one that does not know the person; somebody's text messages are a second
        // factor already; the rest is what no server has answered.
        expect(new Set(others)).toEqual(
          new Set([
            'signup_disabled',
            'mfa_method_not_allowed',
            'client_request_timeout',
            'network_unavailable',
          ]),
        )
      })
    })

    describe.each(families)(
      '$heading',
      ({ heading, judge, name = '', title, shown, told = [], later = [], ours }) => {
        const text = specIsThere ? block(heading) : ''

        test.each(Object.entries(shown))('“%s”', (quote, failures) => {
          expect(text).toContain(`'${quote}'`)
          // 'Request limit reached for ... Please wait': the dots swallow the sentence's own end.
          const words = [quote.replace('... Please', `${name}. Please`), quote.replace('...', name)]
          for (const [code, more = {}] of failures) {
            const seen = met(more.judge ?? judge, code, more.message)
            expect(seen.show).toBe('screen')
            if (!('detail' in seen)) continue
            const read = [seen.detail, seen.title, `${seen.title} ${seen.detail}`]
            expect(
              read.some((each) => words.includes(each ?? '')),
              `read was: ${read.join(' | ')}`,
            ).toBe(true)
            if (title ?? more.title) expect(seen.title).toBe(title ?? more.title)
            if (more.retryable !== undefined) expect([code, seen.retryable]).toEqual([code, more.retryable])
          }
        })
        test.each(told)('tells programs “%s”', (quote) => {
          expect(text).toContain(`'${quote}'`)
          expect(source().includes(quote.replace(/\{.*/, '')), 'it is nowhere in the source').toBe(true)
        })
        test('leaves out no sentence of the specification', () => {
          const known = [...Object.keys(shown), ...told, ...later]
          expect(quotes(text).filter((quote) => !known.includes(quote))).toEqual([])
        })
        test('has no other rows', () => {
          const named = Object.values(shown).flatMap((failures) => failures.map(([code]) => code))
          const known = [...named, ...ours, ...Object.keys(gates), 'account_transfer_required']
          expect(rowsOf(judge).filter((code) => !known.includes(code))).toEqual([])
        })
      },
    )

    describe('the screens that these methods share', () => {
      const sharing = [oauthVerdict('Google'), telegramVerdict, farcasterVerdict, walletVerdict('MetaMask')]
      const shared = { ...gates, signup_disabled: gates.user_does_not_exist }
      test.each(Object.entries(shared))('%s', (code, gate) => {
        for (const judge of [...sharing, passkeyVerdict]) expect(met(judge, code)).toEqual(gate)
      })
      test('account transfer', () => {
        for (const judge of sharing) expect(met(judge, 'account_transfer_required').show).toBe('conflict')
      })
      test('other server codes pass through with their message', () => {
        expect(met(oauthVerdict('Google'), unknown)).toMatchObject({ detail: server })
      })
    })

    describe('Cross-app', () => {
      const judge = crossAppVerdict('Harbor')
      test.each([
        ['OAuth', 'User denied confirmation during cross-app auth flow', 'oauth_user_denied'],
        ['OAuth', 'Invalid code during cross-app auth flow.', 'unknown_auth_error'],
        ['Cross-app', 'Invalid connected app', 'cross_app_connection_not_allowed'],
        ['Cross-app', 'Authorization request timed out after 2 minutes.', 'popup_timeout'],
        ['Cross-app', 'User rejected request', 'popup_closed'],
      ])('%s: “%s”', (heading, quote, code) => {
        expect(block(heading)).toContain(`'${quote}'`)
        expect(met(judge, code)).toMatchObject({ show: 'screen', detail: quote })
      })
    })

    describe('Error screen mapping', () => {
      const text = specIsThere ? block('Error screen mapping') : ''
      const rows: [line: string, code: string, seen: object][] = [
        ["Timeout: 'Timed out'.", 'client_request_timeout', { title: 'Timed out' }],
        [
          "Other SDK errors: 'Something went wrong / Try again later'.",
          unknown,
          { title: 'Something went wrong', detail: 'Try again later' },
        ],
        [
          "Disallowed login method: 'Not allowed' / 'Try another method'.",
          'disallowed_login_method',
          { title: 'Not allowed', detail: 'Try another method' },
        ],
        [
          "Account already linked: 'Authentication failed / This account has already been linked to another user.'",
          'linked_to_another_user',
          {
            title: 'Authentication failed',
            detail: 'This account has already been linked to another user.',
          },
        ],
        [
          "Unsupported region: 'This region is not supported / SMS authentication from this region is not available'.",
          'not_supported',
          {
            title: 'This region is not supported',
            detail: 'SMS authentication from this region is not available',
            retryable: false,
          },
        ],
        [
          "Too many requests: 'Request failed / Too many attempts.'",
          'too_many_requests',
          { title: 'Request failed', detail: 'Too many attempts.' },
        ],
      ]
      test.each(rows)('%s', (line, code, seen) => {
        expect(text).toContain(line)
        expect(met(errorScreenVerdict, code, '')).toMatchObject({ show: 'screen', ...seen })
      })
      test('a method that is switched off: the server’s own text is the detail', () => {
        expect(met(errorScreenVerdict, 'disallowed_login_method')).toMatchObject({ detail: server })
      })
      test('leaves out no line of the specification', () => {
        // Money and transactions come with the features that move them. "The message is shown" holds for
        // plain answers only: those of a login get the general words.
        const elsewhere = [
          'Insufficient balance:',
          'Transaction failure:',
          'Failed SMS verification or a 400/422',
        ]
        const lines = text.split('\n').map((line) => line.replace(/^- /, ''))
        const known = (line: string) =>
          rows.some(([own]) => own === line) || elsewhere.some((start) => line.startsWith(start))
        expect(lines.filter((line) => !known(line))).toEqual([])
      })
    })

    test('every code that is reported to hosts has a name here', () => {
      const renamed: Record<string, string> = {
        user_exited_auth_flow: 'exited_auth_flow',
        user_exited_link_flow: 'exited_link_flow',
        user_exited_update_flow: 'exited_update_flow',
      }
      const told = block('Error codes reported to the host app').match(/[A-Z]+(?:_[A-Z]+)+/g) ?? []
      expect(told.length).toBeGreaterThan(10)
      const names = told.map((name) => renamed[name.toLowerCase()] ?? name.toLowerCase())
      expect(names.filter((name) => !errorCodes.includes(name as 'invalid_data'))).toEqual([])
    })
  },
)
