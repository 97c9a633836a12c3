import { describe, expect, it } from 'vitest'
import { figureParts } from '../../src/ui/text/figure.tsx'

describe('figures', () => {
  it.each([
    ['0.25', ['0.25']],
    ['123456', ['123456']],
    ['0.00203928', ['0.00203928']],
    ['25,000,000', ['25,000,000']],
    ['1234567890123', ['1', '234', '567', '890', '123']],
    ['25,000,000,000', ['25,', '000,', '000,', '000']],
    ['−1,234.123456789', ['−1,', '234.', '123', '456', '789']],
    ['0.00001234567', ['0.', '000', '012', '345', '67']],
    ['<$0.01', ['<$0.01']],
    ['', ['']],
  ])('%s: a line ends between thousands and groups of three digits of a long number alone', (text, parts) => {
    expect(figureParts(text)).toEqual(parts)
    expect(figureParts(text).join('')).toBe(text)
  })
})
