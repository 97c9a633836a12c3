/** Registers `<wallet-export>`. */
import { defineElement } from '../define.ts'
import { WalletExport } from '../wallet-export.ts'

export { WalletExport }

defineElement(WalletExport)
