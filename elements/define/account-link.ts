/** Registers `<account-link>`. */
import { AccountLink } from '../account-link.ts'
import { defineElement } from '../define.ts'

export { AccountLink }

defineElement(AccountLink)
