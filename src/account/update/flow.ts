import { untilLoaded } from '../../app/failure/until-loaded.ts'
import { addWords } from '../../copy/copy.ts'
import { account } from '../../copy/en/account.ts'
import { accounts as words } from '../../copy/en/accounts.ts'
import { code } from '../../copy/en/code.ts'
import { errors } from '../../copy/en/errors.ts'
import { gate } from '../../copy/en/gate.ts'
import { Closed } from '../../dialog/stage.ts'
import type { Login, LoginContext } from '../../login/context.ts'
import { proveAddress } from '../link/address-flow.ts'

addWords(account, code, errors, gate, words)

/** Replaces the address or the number of the person who is logged in. The purpose of the context says which one goes. */
export async function update(
  cx: LoginContext,
  via: 'email' | 'sms',
  options: Parameters<typeof proveAddress>[2],
): Promise<Login> {
  const updated = await untilLoaded(cx, () => proveAddress(cx, via, options))
  if (updated === 'back') throw new Closed('The person turned back')
  return updated
}
