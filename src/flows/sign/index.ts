/** What the kit loads when something is to be signed. */
import { learn } from '../../copy/copy.ts'
import { errors } from '../../copy/en/errors.ts'
import { sign } from '../../copy/en/sign.ts'
import { wallet } from '../../copy/en/wallet.ts'

export { signMessage } from './sign-message.ts'

learn(errors, sign, wallet)
