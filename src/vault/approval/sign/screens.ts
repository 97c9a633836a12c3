/** The screens of what is signed, which are the kit's own. The frame loads the one that it needs, the window all of them. */
import './sign-copy.ts'
import './transaction-copy.ts'

export { signAuthorization } from '../../../signing/authorization/sign-authorization.tsx'
export { approveCalls } from '../../../signing/calls/approve-calls.tsx'
export { signMessage } from '../../../signing/message/sign-message.tsx'
export { approveTransaction } from '../../../signing/transaction/approve-transaction.tsx'
export { signTypedData } from '../../../signing/typed-data/sign-typed-data.tsx'
