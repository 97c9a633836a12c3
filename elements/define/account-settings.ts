/** Registers `<account-settings>`. */

import { AccountSettings } from '../account-settings.ts'
import { defineElement } from '../define.ts'

export { AccountSettings }

defineElement(AccountSettings)
