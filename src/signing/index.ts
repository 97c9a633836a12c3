/** Every flow that signs, and the words of their screens. */
import { addWords } from '../copy/copy.ts'
import { activity } from '../copy/en/activity.ts'
import { approval } from '../copy/en/approval.ts'
import { calls } from '../copy/en/calls.ts'
import { errors } from '../copy/en/errors.ts'
import { operationErrors } from '../copy/en/operation-errors.ts'
import { sign } from '../copy/en/sign.ts'
import { smartAccount } from '../copy/en/smart-account.ts'
import { transaction } from '../copy/en/transaction.ts'
import { wallet } from '../copy/en/wallet.ts'

export { createEthereumCalls } from './calls/ethereum.ts'
export { sendCalls, showCalls } from './calls/flow.ts'
export { createSolanaCalls } from './calls/solana.ts'
export { createEthereumAdapter } from './ethereum/adapter.ts'
export { signMessage, signSolanaMessage } from './message/flow.ts'
export { createSolanaAdapter } from './solana/adapter.ts'
export { failureOf } from './transaction/failure.ts'
export { sendTransaction, signTransaction } from './transaction/flow.ts'
export { failureOfEntry } from './transaction/outcome.ts'
export { signTypedData } from './typed-data/flow.ts'

addWords(activity, approval, calls, errors, operationErrors, sign, smartAccount, transaction, wallet)
