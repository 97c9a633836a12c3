/** The screens of what is signed, which are the kit's own, with their words. */
import { addWords } from '../../../copy/copy.ts'
import { sign } from '../../../copy/en/sign.ts'

export { signMessage } from '../../../signing/message/sign-message.tsx'
export { approveTransaction } from '../../../signing/transaction/approve-transaction.tsx'
export { signTypedData } from '../../../signing/typed-data/sign-typed-data.tsx'

addWords(sign)
