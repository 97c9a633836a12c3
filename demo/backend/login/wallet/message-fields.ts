/** The fields that a message to sign in ends with (ERC-4361; Solana's is the same), as they are written there. */
export interface MessageFields {
  uri?: string
  version?: string
  chainId?: string
  nonce?: string
  issuedAt?: string
  expirationTime?: string
  notBefore?: string
  requestId?: string
  resources?: string[]
}

/** RFC 3986, by its characters. */
const uri = /^[a-z][a-z\d+.-]*:(?:[\w.~!$&'()*+,;=:@/?#[\]-]|%[\da-f]{2})*$/i
/** RFC 3339. */
const time =
  /^(\d{4})-(0[1-9]|1[0-2])-([0-2]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/
const isUri = (text: string) => uri.test(text)
/** A day that a month does not have would be read as one of the next. */
function isTime(text: string): boolean {
  const [, year, month, day] = time.exec(text) ?? []
  return day !== undefined && Number(day) > 0 && Number(day) <= daysOf(Number(year), Number(month))
}
const daysOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate()

type Label = Exclude<keyof MessageFields, 'resources'>
/** In their order. */
const labels: readonly (readonly [name: Label, label: string, fits: (value: string) => boolean])[] = [
  ['uri', 'URI: ', isUri],
  ['version', 'Version: ', (value) => value === '1'],
  ['chainId', 'Chain ID: ', (value) => /^[-\w:]{1,64}$/.test(value)],
  ['nonce', 'Nonce: ', (value) => /^[a-z\d]{8,128}$/i.test(value)],
  ['issuedAt', 'Issued At: ', isTime],
  ['expirationTime', 'Expiration Time: ', isTime],
  ['notBefore', 'Not Before: ', isTime],
  ['requestId', 'Request ID: ', (value) => /^(?:[\w.~!$&'()*+,;=:@-]|%[\da-f]{2})*$/i.test(value)],
]
const RESOURCES = 'Resources:'

/** Whether a line has the form of a field: a statement that has some could pass for others. */
export const isField = (line: string) =>
  line === RESOURCES || labels.some(([, label]) => line.startsWith(label))

/** Host, port and user of a page (RFC 3986, "authority"). */
export const isAuthority = (text: string) =>
  /^(?:[\w.~!$&'()*+,;=:%-]{1,64}@)?(?:\[[\da-f:.]{2,45}\]|[\w.~!$&'()*+,;=%-]{1,253})(?::\d{0,5})?$/i.test(
    text,
  )

/** Reads lines each of which is one field, in their order and none twice. `undefined`: they are something else. */
export function readFields(lines: readonly string[]): MessageFields | undefined {
  const fields: MessageFields = {}
  let at = 0
  for (const [name, label, fits] of labels) {
    const line = lines[at]
    if (!line?.startsWith(label)) continue
    const value = line.slice(label.length)
    if (!fits(value)) return undefined
    fields[name] = value
    at++
  }
  if (lines[at] === RESOURCES) {
    const entries = lines.slice(at + 1)
    if (!entries.every((line) => line.startsWith('- ') && isUri(line.slice(2)))) return undefined
    fields.resources = entries.map((line) => line.slice(2))
    at = lines.length
  }
  return at === lines.length ? fields : undefined
}
