/** Registers `<wallet-create>`. */
import { defineElement } from '../define.ts'
import { WalletCreate } from '../wallet-create.ts'

export { WalletCreate }

defineElement(WalletCreate)
