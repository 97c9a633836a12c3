import { describe, expect, it } from 'vitest'
import { typedCode } from '../../src/ui/fields/code-input/rules.ts'

const from = (digits: string, spent = false) => ({ digits, length: 6, spent })

describe('typedCode', () => {
  it('takes digits one by one and is complete once', () => {
    let digits = ''
    let completed = 0
    for (const digit of '491072') {
      const typed = typedCode(digits + digit, from(digits))
      digits = typed.digits
      if (typed.complete) completed++
    }
    expect([digits, completed]).toEqual(['491072', 1])
  })

  it.each([
    ['491072', '491072'],
    ['491 072', '491072'],
    ['491-072', '491072'],
    [' 4 9 1 – 0 7 2\n', '491072'],
    ['49\u00A010\u200B72', '491072'],
    ['\u200E491072', '491072'],
    ['٤٩١٠٧٢', '491072'],
    ['۴۹۱۰۷۲', '491072'],
    ['４９１０７２', '491072'],
    ['Your code is 491 072', '491072'],
    ['491072 is your code for Harbor. It is good for 10 minutes.', '491072'],
    ['Ihr Code: 491-072.', '491072'],
    ['१२३४५६', '123456'],
    ['১২৩৪৫৬', '123456'],
    ['๑๒๓๔๕๖', '123456'],
    ['၁၂၃၄၅၆', '123456'],
    ['១២៣៤៥៦', '123456'],
    ['௧௨௩௪௫௬', '123456'],
    ['𞥑𞥒𞥓𞥔𞥕𞥖', '123456'],
    ['𝟏𝟐𝟑𝟒𝟓𝟔', '123456'],
    ['१२3४५६', '123456'],
    ['आपका कोड १२३ ४५६ है।', '123456'],
    [
      "301935 is your code for Harbor. It works once, for 10 minutes. Don't share it.\n\n@harbor.example #301935",
      '301935',
    ],
    ['301935 is your code. 301-935', '301935'],
    ['123456.', '123456'],
    ['123456,', '123456'],
    ['"123456"', '123456'],
    ['(123456)', '123456'],
    ['#123456', '123456'],
    ['123456!', '123456'],
    ['123456。', '123456'],
    ['123 456.', '123456'],
    ['“123456”', '123456'],
    ['*123456*', '123456'],
    ['\u2060१२३४५६\u200b.', '123456'],
    ['G-123456', '123456'],
    ['49', '49'],
    ['', ''],
  ])('spreads what is pasted: %j', (pasted, digits) =>
    expect(typedCode(pasted, from(''))).toMatchObject({ digits, refused: false }),
  )

  it.each([
    'a',
    '12a',
    '12.3',
    'Your code is 49107',
    'Your codes are 491072 and 491073',
    '+491072',
    '12345.',
    '123456 123457.',
    '1234567.',
    '123.456',
    '301935 is your code, not 301936',
    '４9x',
    '①②③a',
  ])('refuses %j and keeps what was there', (raw) =>
    expect(typedCode(`49${raw}`, from('49'))).toEqual({ digits: '49', refused: true, complete: false }),
  )

  it('takes a whole code that is pasted behind some digits alone', () =>
    expect(typedCode('12491072', from('12'))).toEqual({ digits: '491072', refused: false, complete: true }))

  it('takes a message and a code with a full stop that are pasted behind some digits', () => {
    const message = "301935 is your code for Harbor. Don't share it.\n\n@harbor.example #301935"
    for (const pasted of [message, '301935.', '३०१९३५ '])
      expect(typedCode(`12${pasted}`, from('12'))).toMatchObject({ digits: '301935', complete: true })
  })

  it('fills up with a part that is pasted behind others', () =>
    expect(typedCode('491072', from('491'))).toMatchObject({ digits: '491072', complete: true }))

  it('cuts off what is too much', () =>
    expect(typedCode('49107281', from(''))).toMatchObject({ digits: '491072', complete: true }))

  it('does not complete a code again that nobody changed', () =>
    expect(typedCode('4910725', from('491072'))).toEqual({
      digits: '491072',
      refused: false,
      complete: false,
    }))

  it('takes one digit back', () => {
    expect(typedCode('4910', from('49107'))).toEqual({ digits: '4910', refused: false, complete: false })
    expect(typedCode('', from('4'))).toMatchObject({ digits: '' })
  })

  it('completes a corrected code', () => {
    const { digits } = typedCode('49107', from('491072'))
    expect(typedCode(`${digits}3`, from(digits))).toMatchObject({ digits: '491073', complete: true })
  })

  describe('after a failed try', () => {
    it('starts again with the next digit', () =>
      expect(typedCode('4910728', from('491072', true))).toEqual({
        digits: '8',
        refused: false,
        complete: false,
      }))

    it('empties on backspace', () =>
      expect(typedCode('49107', from('491072', true))).toMatchObject({ digits: '' }))

    it('takes a whole code, even the same one', () => {
      expect(typedCode('491072000111', from('491072', true))).toMatchObject({
        digits: '000111',
        complete: true,
      })
      expect(typedCode('491072491072', from('491072', true))).toMatchObject({
        digits: '491072',
        complete: true,
      })
    })
  })
})
