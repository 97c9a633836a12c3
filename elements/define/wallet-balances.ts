/** Registers `<wallet-balances>`. */

import { defineElement } from '../define.ts'
import { WalletBalances } from '../wallet-balances.ts'

export { WalletBalances }

defineElement(WalletBalances)
