import { describe, expect, it } from 'vitest'
import { visibleMarks } from '../../src/ui/text/visible-marks.ts'

/** Bidi, zero-width and other characters that a person can't see. */
const unseen = [
  0x0000, 0x0007, 0x0008, 0x000b, 0x001b, 0x007f, 0x0085, 0x00ad, 0x034f, 0x061c, 0x115f, 0x1160, 0x17b4,
  0x180b, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d,
  0x202e, 0x2060, 0x2061, 0x2064, 0x2066, 0x2067, 0x2068, 0x2069, 0x206a, 0x206f, 0x2800, 0x3164, 0xe000,
  0xfe00, 0xfeff, 0xffa0, 0xfff9, 0x1d173, 0xe0001, 0xe0041, 0xe0100, 0xf0000, 0xd800, 0xdfff,
]

describe('visibleMarks', () => {
  it.each(unseen)('marks %#x', (code) => {
    const character =
      code >= 0xd800 && code <= 0xdfff ? String.fromCharCode(code) : String.fromCodePoint(code)
    const mark = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
    expect(visibleMarks(`pay${character}ee`)).toEqual(['pay', { mark }, 'ee'])
  })

  it('leaves what can be seen as it is', () => {
    for (const text of [
      'Welcome to Harbor.\n\nNonce: 7f3a\tend',
      'Grüße, 你好, مرحبا, שלום, हिन्दी, e\u0301',
      '👍🏽 ❤️ 👨‍👩‍👧 🏳️‍🌈 🇩🇪',
      '<script>alert(1)</script> & {name}',
      '',
    ])
      expect(visibleMarks(text)).toEqual(text ? [text] : [])
  })

  it('reads line ends of any system as one', () =>
    expect(visibleMarks('a\r\nb\nc\rd')).toEqual(['a\nb\nc', { mark: 'U+000D' }, 'd']))

  it('marks a joiner that joins no emoji, also after a line end of two characters', () => {
    expect(visibleMarks('a\u200Db')).toEqual(['a', { mark: 'U+200D' }, 'b'])
    expect(visibleMarks('\r\n\r\n👨‍👩‍👧')).toEqual(['\n\n👨‍👩‍👧'])
  })

  it('keeps every character, in order', () => {
    const text = unseen.map((code) => `x${String.fromCodePoint(code)}`).join('')
    const kept = visibleMarks(text).map((piece) =>
      typeof piece === 'string' ? piece : String.fromCodePoint(Number.parseInt(piece.mark.slice(2), 16)),
    )
    expect(kept.join('')).toBe(text)
  })
})
