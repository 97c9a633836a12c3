import { handleFailure } from '../../app/failure/flow.ts'
import type { FlowContext } from '../../app/flow-context.ts'
import { addWords, type PlainKey } from '../../copy/copy.ts'
import { accounts as words } from '../../copy/en/accounts.ts'
import { errors } from '../../copy/en/errors.ts'
import { gate } from '../../copy/en/gate.ts'
import { login } from '../../copy/en/login.ts'
import { Closed } from '../../dialog/stage.ts'
import { errorScreenVerdict } from '../../errors/error-screen.ts'
import { toKitError } from '../../errors/kit-error.ts'
import { type LinkedAccount, passkeyName, type User } from '../../protocol/user.ts'
import { shortAddress } from '../../ui/wallet/address-text.ts'
import { eventMethod } from './accounts.ts'
import { lastLogin } from './last-login.tsx'

addWords(words, errors, gate, login)

/** Asks before the last login of a person is removed. Going back, or keeping it, closes the dialog. */
export async function unlinkLast(
  cx: FlowContext,
  account: LinkedAccount,
  remove: (signal: AbortSignal) => Promise<User>,
): Promise<User> {
  const { stage, config } = cx
  for (;;) {
    const answer = await stage.ask(lastLogin, { app: config.appName, account: accountName(cx, account) })
    if (answer === 'keep') throw new Closed('The person keeps it')
    try {
      return await remove(stage.signal)
    } catch (cause) {
      stage.signal.throwIfAborted()
      const error = toKitError(cause)
      const settled = await handleFailure(cx, error, errorScreenVerdict(error))
      if (settled.next !== 'again') throw error
    }
  }
}

/** An account as a person knows it: an address, a number, a name. */
function accountName({ t }: Pick<FlowContext, 't'>, account: LinkedAccount): string {
  switch (account.type) {
    case 'email':
      return account.address
    case 'phone':
      return account.number
    case 'wallet':
      return shortAddress(account.address)
    case 'passkey':
      return passkeyName(account)
    case 'other':
    case 'custom':
      return t('login.otherApp')
    default:
      return t(`login.${eventMethod(account)}` as PlainKey)
  }
}
