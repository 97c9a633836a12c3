import type { Translate } from '../../../copy/copy.ts'
import { visibleMarks } from '../../text/visible-marks.ts'
import { fieldLimits } from '../limits.ts'
import { isCommonPassword } from './common-passwords.ts'

/** Letters, digits and these signs. */
const ALLOWED = /[A-Za-z\d!@#$%^&*()\-_+]/
/** How many invalid characters are named. */
const NAMED = 8

/** Why a text can't be a password, in words; nothing if it can, or is still empty. */
export function passwordProblem(password: string, t: Translate): string | undefined {
  if (!password) return undefined
  const offenders = [...new Set(password)].filter((character) => !ALLOWED.test(character))
  if (offenders.length > 0) {
    const named = offenders.slice(0, NAMED).map((character) => nameOf(character, t))
    if (offenders.length > NAMED) named.push('…')
    return t('password.invalid', { characters: named.join(' ') })
  }
  const count = fieldLimits.passwordLength
  if (password.length < count) return t('password.tooShort', { count })
  return isCommonPassword(password) ? t('password.tooCommon') : undefined
}

/** Whether it may be set. */
export const isPassword = (password: string) =>
  password.length >= fieldLimits.passwordLength &&
  [...password].every((character) => ALLOWED.test(character)) &&
  !isCommonPassword(password)

function nameOf(character: string, t: Translate): string {
  if (character === ' ') return t('password.space')
  if (/\s/.test(character)) return codePoint(character)
  const [piece = ''] = visibleMarks(character)
  return typeof piece === 'string' ? piece : piece.mark
}

const codePoint = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
