/**
 * An ordinary address: no quotes, no comments; before the @ ASCII only, as mail servers without SMTPUTF8 take it, in the
 * domain letters of any script; a domain with a dot.
 */
const LOCAL = /^[a-z\d!#$%&'*+/=?^_`{|}~-]+(\.[a-z\d!#$%&'*+/=?^_`{|}~-]+)*$/i
const LABEL = /^[\p{L}\p{M}\p{N}]([\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u
const TOP = /^(?=.*[\p{L}])[\p{L}\p{M}\p{N}-]{2,63}$/u

/** Keys of the words to show. */
export type EmailProblem = 'login.email.invalid' | 'login.email.noPlus'

/** What is wrong with an e-mail address, as words to show; nothing if it can be used. */
export function emailProblem(
  value: string,
  { plusAllowed }: { plusAllowed: boolean },
): EmailProblem | undefined {
  const address = value.trim()
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const labels = address.slice(at + 1).split('.')
  const valid =
    at > 0 &&
    address.length <= 254 &&
    local.length <= 64 &&
    LOCAL.test(local) &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    TOP.test(labels.at(-1) ?? '')
  if (!valid) return 'login.email.invalid'
  return plusAllowed || !local.includes('+') ? undefined : 'login.email.noPlus'
}
