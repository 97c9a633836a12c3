/** Registers `<wallet-sign>`. */
import { defineElement } from '../define.ts'
import { WalletSign } from '../wallet-sign.ts'

export { WalletSign }

defineElement(WalletSign)
