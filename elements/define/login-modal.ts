/** Registers `<login-modal>`. */
import { defineElement } from '../define.ts'
import { LoginModal } from '../login-modal.ts'

export { LoginModal }

defineElement(LoginModal)
