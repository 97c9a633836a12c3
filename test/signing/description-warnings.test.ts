/** Warnings of the clear-signing room, as a review says them. */
import { describe, expect, test } from 'vitest'
import { severities, warning } from '../../src/clear-signing/description.ts'
import { transaction as words } from '../../src/copy/en/transaction.ts'
import { toWarnings } from '../../src/signing/description.ts'

const codes = Object.keys(severities) as (keyof typeof severities)[]
const said = (code: keyof typeof severities, isRead = false) =>
  toWarnings({ warnings: [warning(code)] }, { isRead })

describe('warnings of a description', () => {
  test.each(codes.filter((code) => severities[code] !== 'info'))(
    'a warning %s that is more than an explanation has words, and keeps its severity',
    (code) => {
      const [found, ...more] = said(code)
      expect(more).toEqual([])
      expect(found?.severity).toBe(severities[code] === 'danger' ? 'danger' : 'warning')
      const own = { 'unlimited-allowance': 'sign.data.unlimited', allowance: 'sign.data.spender' } as Record<
        string,
        string
      >
      const key = found && (own[found.code] ?? `warning.${found.code}`)
      expect(words).toHaveProperty([key ?? ''])
    },
  )

  test.each(codes.filter((code) => severities[code] === 'info'))(
    'a warning %s that only explains a value is left out',
    (code) => expect(said(code)).toEqual([]),
  )

  test.each([
    'unknown-contract',
    'unknown-function',
    'unknown-message',
    'not-decodable',
    'descriptor-refused',
  ] as const)(
    'the reason %s why there are no words is left out where others say what a request does',
    (code) => {
      expect(said(code)).toEqual([{ code: 'undescribed', severity: 'warning' }])
      expect(said(code, true)).toEqual([])
    },
  )
})
