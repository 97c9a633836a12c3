import { domainToASCII } from 'node:url'

const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/

/**
 * The one form in which an e-mail address is stored and compared: trimmed, lower case, an international domain in
 * its ASCII form. Returns `undefined` for what is no address (quoted names, comments and bare host names included).
 */
export function normaliseEmail(text: string): string | undefined {
  const trimmed = text.trim().toLowerCase()
  if (trimmed.length > 254) return undefined
  const at = trimmed.lastIndexOf('@')
  const local = trimmed.slice(0, at)
  if (at < 1 || local.length > 64 || !LOCAL_PART.test(local)) return undefined
  const domain = domainToASCII(trimmed.slice(at + 1))
  const labels = domain.split('.')
  if (labels.length < 2 || domain.length > 253) return undefined
  if (!labels.every((label) => label.length <= 63 && LABEL.test(label))) return undefined
  return /^\d+$/.test(labels.at(-1) ?? '') ? undefined : `${local}@${domain}`
}

/** Whether the name before the `@` carries a tag, as in `ada+news@example.com`. */
export const isPlusAddress = (email: string) => email.slice(0, email.lastIndexOf('@')).includes('+')

/**
 * The mailbox in which mail to a normalised address ends, for counting what is sent there: without a tag after `+`, and
 * at Gmail without dots and under one name for its two domains. People are known by the address as they gave it.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  // A name that begins with the sign has no tag.
  const name = email.slice(0, at).replace(/(?<=.)\+.*$/, '')
  return /^(gmail|googlemail)\.com$/.test(domain)
    ? `${name.replaceAll('.', '')}@gmail.com`
    : `${name}@${domain}`
}

/** Whether a list names the address itself, or its domain as `@example.com`. */
export function emailListed(email: string, list: readonly string[]): boolean {
  const domain = email.slice(email.lastIndexOf('@'))
  return list.some((entry) => entry.toLowerCase() === email || entry.toLowerCase() === domain)
}
