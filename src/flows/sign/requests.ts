/** What the kit loads when a library of the page wants to have something signed. */
import { learn } from '../../copy/copy.ts'
import { errors } from '../../copy/en/errors.ts'
import { sign } from '../../copy/en/sign.ts'
import { wallet } from '../../copy/en/wallet.ts'

export { signBytes, signSolanaBytes } from './message.ts'
export { transactSolana } from './solana-transaction.ts'
export { transact } from './transaction.ts'
export { signTypedData } from './typed-data.ts'

learn(errors, sign, wallet)
