/** Registers `<passkey-manager>`. */
import { defineElement } from '../define.ts'
import { PasskeyManager } from '../passkey-manager.ts'

export { PasskeyManager }

defineElement(PasskeyManager)
