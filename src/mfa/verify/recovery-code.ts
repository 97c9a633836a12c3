import { asciiDigits, dropInvisible } from '../../lib/typed-text.ts'

/**
 * A recovery code out of what a person has typed or pasted: five characters, a dash, five characters. `undefined` for anything
 * else.
 */
export function recoveryCodeOf(typed: string): string | undefined {
  const characters = dropInvisible(asciiDigits(typed))
    .toLowerCase()
    .replace(/[\s\p{Pd}]/gu, '')
  return /^[a-z0-9]{10}$/.test(characters) ? `${characters.slice(0, 5)}-${characters.slice(5)}` : undefined
}
