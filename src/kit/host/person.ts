import { KitError } from '../../errors/kit-error.ts'
import type { User } from '../../protocol/user.ts'
import type { KitContext } from '../context.ts'

/**
 * The person who is logged in. Throws a {@link KitError} `must_be_authenticated`.
 * @param doing what the host has asked for, in the words of the error
 */
export function personOf(cx: Pick<KitContext, 'app'>, doing: string): User {
  const { user } = cx.app.state.get()
  if (!user) throw new KitError('must_be_authenticated', `User must be authenticated before ${doing}`)
  return user
}
