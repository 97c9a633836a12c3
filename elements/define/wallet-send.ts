/** Registers `<wallet-send>`. */
import { defineElement } from '../define.ts'
import { WalletSend } from '../wallet-send.ts'

export { WalletSend }

defineElement(WalletSend)
