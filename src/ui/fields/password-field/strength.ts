import { fieldLimits } from '../limits.ts'
import { isPassword } from './rules.ts'

export type Strength = 'weak' | 'medium' | 'strong'

/** The kinds of characters that a password may have, and how many there are of each. */
const kinds = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/\d/, 10],
  [/[^A-Za-z\d]/, 13],
] as const

/** How strong a password is (docs/protocol.md, "Password strength"). One that may not be set is weak. */
export function strengthOf(password: string): Strength {
  if (!isPassword(password)) return 'weak'
  const score = scoreOf(password)
  return score > fieldLimits.passwordStrong
    ? 'strong'
    : score > fieldLimits.passwordMedium
      ? 'medium'
      : 'weak'
}

/** Half from the variety of its characters, half from the entropy of as many characters drawn at random. */
export function scoreOf(password: string): number {
  const used = kinds.filter(([kind]) => kind.test(password))
  const diversity = password.length < 8 ? 0 : Math.min(1, used.length / 3)
  const alphabet = used.reduce((sum, [, size]) => sum + size, 0)
  const entropyBits = alphabet ? password.length * Math.log2(alphabet) : 0
  return (0.3 * diversity + entropyBits / 95) / 2
}
