/** Registers `<wallet-activity>`. */

import { defineElement } from '../define.ts'
import { WalletActivity } from '../wallet-activity.ts'

export { WalletActivity }

defineElement(WalletActivity)
