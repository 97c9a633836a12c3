import { isUuid } from '../bytes.ts'
import type { VaultContext } from '../context.ts'
import type { RootName } from '../model.ts'
import type { Release } from '../shares/releases.ts'
import type { Token } from '../token.ts'
import { rootPath, unexpectedAnswer } from './transport.ts'

/** One of the root's auth shares of these sets; `undefined` when the server knows no such root or set. */
export async function fetchAuthShare(
  cx: VaultContext,
  token: Token,
  root: RootName,
  setIds: readonly string[],
): Promise<Release | undefined> {
  const answer = await cx.api(token, `${rootPath(root)}/auth_share`, { set_ids: setIds }, { orMissing: true })
  if (!answer) return undefined
  const { wallet_id: walletId, set_id: setId, auth_share: authShare } = answer
  if (!isUuid(walletId) || !isUuid(setId) || typeof authShare !== 'string') throw unexpectedAnswer()
  return { walletId, setId, authShare }
}
