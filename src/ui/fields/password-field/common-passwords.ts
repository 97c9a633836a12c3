/**
 * The passwords that are guessed first, and those that are too simple. New passwords must be none of them.
 */
const COMMON = new Set(
  `password password1 password12 password123 passw0rd p@ssword p@ssw0rd passwort qwerty qwerty1 qwerty12 qwerty123
  qwertyuiop qwertz qwertz123 azerty azerty123 asdfgh asdfghjkl zxcvbn zxcvbnm 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx
  q1w2e3r4 abc123 abcd1234 a1b2c3 a1b2c3d4 admin123 administrator letmein letmein1 welcome welcome1 welcome123 iloveyou
  iloveyou1 monkey dragon master football football1 baseball basketball superman batman trustno1 sunshine princess
  shadow michael jordan ashley charlie daniel jessica andrew computer internet samsung google starwars pokemon naruto
  whatever freedom secret secret1 secret123 changeme default killer hunter hunter2 summer winter flower cookie cheese
  bitcoin ethereum solana crypto metamask phantom wallet wallet1 wallet123 recovery latchkey mypassword newpassword
  111222 112233 121212 123123 123321 123qwe 123abc 131313 147258 147258369 159753 654321 666666 696969 987654321 102030`
    .split(/\s+/)
    .filter(Boolean),
)

/**
 * Whether a password is on the list, is one character repeated, or runs straight up or down (`123456`,
 * `fedcba`).
 */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase()
  if (COMMON.has(text)) return true
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const steps = new Set(codes.slice(1).map((code, at) => code - (codes[at] ?? 0)))
  const [step = 0] = steps
  return codes.length > 1 && steps.size === 1 && Math.abs(step) <= 1
}
