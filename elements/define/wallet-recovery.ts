/** Registers `<wallet-recovery>`. */
import { defineElement } from '../define.ts'
import { WalletRecovery } from '../wallet-recovery.ts'

export { WalletRecovery }

defineElement(WalletRecovery)
