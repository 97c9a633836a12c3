/** Every flow that signs, and the words of their screens. */
import { addWords } from '../copy/copy.ts'
import { approval } from '../copy/en/approval.ts'
import { errors } from '../copy/en/errors.ts'
import { sign } from '../copy/en/sign.ts'
import { transaction } from '../copy/en/transaction.ts'
import { wallet } from '../copy/en/wallet.ts'

export { createEthereumAdapter } from './ethereum/adapter.ts'
export { signMessage, signSolanaMessage } from './message/flow.ts'
export { createSolanaAdapter } from './solana/adapter.ts'
export { failureOf } from './transaction/failure.ts'
export { sendTransaction, signTransaction } from './transaction/flow.ts'
export { failureOfEntry } from './transaction/outcome.ts'
export { signTypedData } from './typed-data/flow.ts'

addWords(approval, errors, sign, transaction, wallet)
