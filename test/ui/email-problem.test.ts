import { describe, expect, it } from 'vitest'
import { emailProblem } from '../../src/ui/fields/email-problem.ts'

const plus = { plusAllowed: true }

describe('emailProblem', () => {
  it.each([
    'ada@example.com',
    ' ada@example.com ',
    '\u200Bada@example.com',
    'ada@example.com\u200B',
    '\u2060\uFEFFada@example.com',
    '\u202Aada@example.com\u202C',
    '\u00ADada@example.com\u00AD',
    '\u2066ada@example.com\u2069',
    '\u3164ada@example.com',
    '\u180Eada@example.com\u034F',
    '\u2800ada@example.com',
    '\u{E0020}ada@example.com\u{E007F}',
    ' \u200B ada@example.com\u200D\r\n',
    '\u0000ada@example.com\u007F',
    'a@b.co',
    'ada.lovelace@mail.example.co.uk',
    'ada+news@example.com',
    "o'hara_99-x@example.museum",
    'ada@xn--bcher-kva.example',
    'ada@bücher.example',
    'zhanna@пример.рф',
    '1234567890@1234.com',
    'user/department=shipping@example.com',
    `${'a'.repeat(64)}@example.com`,
  ])('accepts %s', (value) => expect(emailProblem(value, plus)).toBeUndefined())

  it.each([
    '',
    '   ',
    'ada',
    '@example.com',
    'ada@',
    'жанна@пример.рф',
    'jörg@example.com',
    'ada\u017F@example.com',
    'ada@example',
    'ada@localhost',
    'ada@@example.com',
    'ada@example..com',
    'ada@.example.com',
    'ada@example.com.',
    'ada@-example.com',
    'ada@example-.com',
    'ada@example.c',
    'ada@127.0.0.1',
    '.ada@example.com',
    'ada.@example.com',
    'ada..l@example.com',
    'ada l@example.com',
    'ada@exam ple.com',
    '"ada"@example.com',
    'ada@example.com, bob@example.com',
    'Ada <ada@example.com>',
    'mailto:ada@example.com',
    'ad\u200Ba@example.com',
    'ada@exam\u2060ple.com',
    '\u200B',
    '\u200Bada',
    'a\u202Eda@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(64)}.com`,
    `ada@${'abcdefghi.'.repeat(25)}com`,
  ])('refuses %j', (value) => expect(emailProblem(value, plus)).toBe('login.email.invalid'))

  it('refuses a plus where the app does, but only in the part before the @', () => {
    expect(emailProblem('ada+news@example.com', { plusAllowed: false })).toBe('login.email.noPlus')
    expect(emailProblem('ada@example.com', { plusAllowed: false })).toBeUndefined()
    expect(emailProblem('ada+news@', { plusAllowed: false })).toBe('login.email.invalid')
  })

  // A pattern that tries its parts again and again would not come to an end.
  it('answers for any pasted text, however long', () => {
    for (const value of [`${'a.'.repeat(500_000)}@x`, 'a'.repeat(1_000_000), '@'.repeat(1_000_000)])
      expect(emailProblem(value, plus)).toBe('login.email.invalid')
  })
})
