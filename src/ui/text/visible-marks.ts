/**
 * A piece of text as it is, or the code point of a character that would be invisible (or would move others).
 */
export type Piece = string | { mark: string }

/**
 * Characters that are invisible or reorder the text around them: controls, formats (bidi, zero width, tags),
 * separators, private use, lone surrogates, and letters that are drawn as nothing. Line feed, tab and the
 * mark that makes an emoji colourful stay.
 */
const UNSEEN = /(?!\uFE0F)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{DI}\u2800]/u
/** A joiner inside an emoji, which is visible as the emoji. */
const EMOJI_JOINER = /(?<=\p{Extended_Pictographic}[\uFE0F\p{EMod}]?)\u200D(?=\p{Extended_Pictographic})/gu

/** Splits a text so that nothing in it stays invisible. The signature covers the original. */
export function visibleMarks(text: string): Piece[] {
  const pieces: Piece[] = []
  let plain = ''
  const lines = text.replaceAll('\r\n', '\n')
  const joiners = new Set([...lines.matchAll(EMOJI_JOINER)].map((match) => match.index))
  let index = 0
  for (const character of lines) {
    const at = index
    index += character.length
    const seen = character === '\n' || character === '\t' || !UNSEEN.test(character) || joiners.has(at)
    if (seen) {
      plain += character
      continue
    }
    if (plain) pieces.push(plain)
    plain = ''
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    pieces.push({ mark: `U+${code}` })
  }
  if (plain) pieces.push(plain)
  return pieces
}
