import { isAuthority, isField, type MessageFields, readFields } from '../wallet/message-fields.ts'

/** What a Sign-In-With-Solana message says. Fields that its text leaves out are left out here. */
export interface SiwsMessage extends MessageFields {
  /** Host and port of the page. */
  domain: string
  /** Unchanged, and not yet checked to be an address. */
  address: string
  /** May have several lines. */
  statement?: string
}

const first = /^(\S{1,400}) wants you to sign in with your Solana account:$/

/**
 * Reads a message by the layout of the Wallet Standard, which is also what the kit writes: the page and the address, a
 * statement, the fields, each part after an empty line. `undefined`: it is none.
 */
export function readSiwsMessage(text: string): SiwsMessage | undefined {
  const lines = text.split('\n')
  const domain = first.exec(lines[0] ?? '')?.[1]
  const address = lines[1] ?? ''
  if (domain === undefined || !isAuthority(domain) || !/^[a-z\d]{1,64}$/i.test(address)) return undefined
  if (lines.length === 2) return { domain, address }
  if (lines[2] !== '') return undefined

  // The fields are the last part, if they are there at all.
  const body = lines.slice(3)
  const last = body.lastIndexOf('')
  const hasFields = isField(body[last + 1] ?? '')
  const fields = hasFields ? readFields(body.slice(last + 1)) : {}
  const stated = hasFields ? body.slice(0, Math.max(last, 0)) : body
  if (!fields || !isStatement(stated)) return undefined
  return { domain, address, ...(stated.length > 0 && { statement: stated.join('\n') }), ...fields }
}

/** Nothing, or lines that begin and end with something; one that looks like a field could pass for it. */
function isStatement(lines: readonly string[]): boolean {
  if (lines.length === 0) return true
  if (lines[0] === '' || lines.at(-1) === '') return false
  return !lines.some((line) => isField(line) || /\p{Cc}/u.test(line))
}
