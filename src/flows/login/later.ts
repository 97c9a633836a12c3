/** What is loaded once somebody has chosen a way in: the landing screen does without it. */
import { learn } from '../../copy/copy.ts'
import { account } from '../../copy/en/account.ts'
import { code } from '../../copy/en/code.ts'
import { errors } from '../../copy/en/errors.ts'
import { gate } from '../../copy/en/gate.ts'
import { wallet } from '../../copy/en/wallet.ts'

export { finish } from './finish.ts'
export { enter, otherApps, prepare, wallets } from './ways.ts'

learn(account, code, errors, gate, wallet)
