import { describe, expect, it } from 'vitest'
import { figureParts } from '../../src/ui/text/figure.tsx'

describe('figures', () => {
  it.each([
    ['0.25', ['0.25']],
    ['123456', ['123456']],
    ['1234567', ['1', '234', '567']],
    ['25,000,000', ['25,', '000,', '000']],
    ['−1,234.123456789', ['−1,', '234.', '123', '456', '789']],
    ['0.0000123456', ['0.', '000', '012', '345', '6']],
    ['<$0.01', ['<$0.01']],
    ['', ['']],
  ])('%s: a line ends between thousands and groups of three digits alone', (text, parts) => {
    expect(figureParts(text)).toEqual(parts)
    expect(figureParts(text).join('')).toBe(text)
  })
})
