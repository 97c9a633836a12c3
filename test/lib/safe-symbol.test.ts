/** Symbols of tokens that could be taken for others. */
import { describe, expect, test } from 'vitest'
import { isSafeSymbol } from '../../src/lib/safe-text.ts'

describe('symbols: shown as they are', () => {
  test.each([
    ...['USDC', 'USDC.e', 'USD₮0', 'stETH', '$WIF', 'yvUSDC', '1INCH', 'UNI-V2', 'axlUSDC', 'a16z', '€S'],
    ...[
      '柴犬',
      '柴犬COIN',
      'ドージ',
      '코인',
      'РУБЛЬ',
      'ΔΩ',
      'ريال',
      'रुपया'.normalize().replace(/\p{M}/gu, ''),
    ],
  ])('%s', (symbol) => expect(isSafeSymbol(symbol)).toBe(true))
})

describe('symbols: not shown, as they could be taken for others', () => {
  test.each([
    ['a Cyrillic Es', 'USD\u0421'],
    ['a Cyrillic Dze', 'U\u0405DC'],
    ['a Greek lunate Sigma', 'USD\u03f9'],
    ['a Greek Upsilon', '\u03a5SDC'],
    ['a Cherokee letter', 'U\u13daDC'],
    ['a Lisu letter', '\ua4f4SDC'],
    ['a letter of Canada’s syllabics', '\u144cSDC'],
    ['an Armenian letter', '\u054dSDC'],
    ['a Coptic letter', 'USD\u2ca4'],
    ['Latin small capitals', 'USD\u1d04'],
    ['a Latin letter with a hook', 'USD\u0187'],
    ['a dot below', '\u1ee4SDC'],
    ['a dotless i', 'L\u0131DO'],
    ['a long s', 'u\u017fdc'],
    ['full width', '\uff35\uff33\uff24\uff23'],
    ['mathematical letters', '\u{1d414}\u{1d412}\u{1d403}\u{1d402}'],
    ['a letter-like sign', 'USD\u2102'],
    ['a Roman numeral', 'USD\u216d'],
    ['letters in circles', '\u24ca\u24c8\u24b9\u24b8'],
    ['full-width digits', '\uff11INCH'],
    ['Arabic digits', '\u0661INCH'],
    ['Cyrillic letters alone that spell a Latin symbol', '\u0412\u0422\u0421'],
    ['Cyrillic letters alone that spell another', '\u0415\u0422\u041d'],
    ['Greek letters alone that spell a Latin symbol', '\u0392\u03a4\u0396'],
    ['Cherokee letters alone', '\u13da\u13d4\u13df'],
    ['Cyrillic and Greek together', '\u0414\u03a9'],
    ['nothing', ''],
  ])('%s', (_, symbol) => expect(isSafeSymbol(symbol)).toBe(false))
})
