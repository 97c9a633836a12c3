import { account } from './account.ts'
import { common } from './common.ts'
import { errors } from './errors.ts'
import { login } from './login.ts'
import { sign } from './sign.ts'
import { wallet } from './wallet.ts'

/** English, complete: the shape of every locale. */
export const en = { ...common, ...login, ...account, ...wallet, ...sign, ...errors } as const
