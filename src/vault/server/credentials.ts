/** Passkeys as the browser has them and as the server has them: the same fields under other names. */
import { isPlainObject, type Plain, type PlainObject } from '../../lib/plain.ts'

/** What the server asks of the browser, in the browser's names. */
export const toBrowser = (options: PlainObject): PlainObject => renamed(options, toCamelCase) as PlainObject

/** What the browser has answered, in the server's names; only what the server reads. */
export function toServer({ id, rawId, type, response }: PlainObject): PlainObject {
  const given = isPlainObject(response) ? response : {}
  const fields = [
    ...['clientDataJSON', 'attestationObject', 'authenticatorData'],
    ...['signature', 'userHandle', 'transports'],
  ]
  const sent = fields.flatMap((name) => {
    const value = given[name]
    return value === undefined || value === null ? [] : [[toSnakeCase(name), value] as const]
  })
  return renamed({ id, rawId, type, response: Object.fromEntries(sent) }, toSnakeCase) as PlainObject
}

const toCamelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const toSnakeCase = (name: string) =>
  name.replace(/JSON$/, 'Json').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function renamed(value: Plain | undefined, rename: (name: string) => string): Plain | undefined {
  if (Array.isArray(value)) return value.flatMap((each) => renamed(each, rename) ?? [])
  if (!isPlainObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [rename(name), renamed(each, rename)]),
  ) as PlainObject
}
