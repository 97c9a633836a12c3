import { isPlainObject, parsePlain } from '../../lib/plain.ts'
import { vaultLimits } from '../limits.ts'

const names = ['id', 'first_name', 'last_name', 'username', 'photo_url', 'auth_date', 'hash']
const numbers = new Set(['id', 'auth_date'])

/**
 * What Telegram has signed: it goes back with one field that has all of it, or with a field for each. `undefined`: the user declined.
 */
export function telegramResult(fields: Readonly<Record<string, string>>): object | undefined {
  const { tgAuthResult } = fields
  const said = tgAuthResult === undefined ? fields : decoded(tgAuthResult)
  if (!said || said.hash === undefined) return undefined
  // One field has all that is signed, also what is unknown here; separate ones stand among others of the address.
  const known = (said === fields ? names : Object.keys(said)).flatMap((name) => {
    const value = said[name]
    return value === undefined ? [] : [[name, numbers.has(name) ? Number(value) : value]]
  })
  return Object.fromEntries(known)
}

function decoded(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) =>
      c.charCodeAt(0),
    )
    const value = parsePlain(new TextDecoder().decode(bytes), vaultLimits.driveAnswerSize)
    return isPlainObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
