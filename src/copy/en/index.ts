import { account } from './account.ts'
import { code } from './code.ts'
import { common } from './common.ts'
import { errors } from './errors.ts'
import { gate } from './gate.ts'
import { login } from './login.ts'
import { sign } from './sign.ts'
import { wallet } from './wallet.ts'

/** English, complete: the shape of every locale. */
export const en = {
  ...common,
  ...login,
  ...code,
  ...gate,
  ...account,
  ...wallet,
  ...sign,
  ...errors,
} as const
