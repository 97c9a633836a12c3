/** Registers `<wallet-fund>`. */
import { defineElement } from '../define.ts'
import { WalletFund } from '../wallet-fund.ts'

export { WalletFund }

defineElement(WalletFund)
