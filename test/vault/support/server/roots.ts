import { notePresent } from './devices.ts'
import { proven, statementOf } from './proofs.ts'
import {
  type Body,
  ok,
  type Reply,
  refuse,
  type State,
  type StoredDevice,
  type StoredRecovery,
  type StoredRoot,
  textOf,
} from './state.ts'

/** Takes a root, or names the one that the person has. */
export async function createRoot(
  state: State,
  app: string,
  user: string,
  device: StoredDevice,
  body: Body,
): Promise<Reply> {
  const [walletId, secret, chainType, address] = ['wallet_id', 'secret', 'chain_type', 'address'].map(
    (name) => textOf(body, name),
  ) as [string, string, string, string]
  if (!(await proven(address, statementOf.created(app, user, address, walletId), body.proof)))
    return refuse(401, 'invalid_credentials')
  const own = state.roots.filter((root) => root.user === user)
  const same = own.find((root) =>
    secret === 'entropy' ? root.secret === secret : root.wallets.some((wallet) => wallet.address === address),
  )
  if (same) {
    const there = secret === 'key' ? address : firstOn(same, chainType)
    return ok({ address: there, wallet_id: same.walletId, created: false })
  }
  const recovery = body.recovery as StoredRecovery
  if (state.options.requireOwnRecovery && secret === 'entropy' && recovery.method === 'privy')
    return refuse(403, 'disallowed_recovery_method')
  if (own.filter((root) => root.secret === 'key').length >= state.options.importedRoots)
    return refuse(400, 'cannot_link_more_of_type')
  const root: StoredRoot = {
    user,
    walletId,
    secret,
    recovery,
    wallets: [{ chainType, index: 0, address }],
    sets: new Map([[textOf(body, 'set_id'), textOf(body, 'auth_share')]]),
    changes: new Map(),
    tries: 0,
  }
  state.roots.push(root)
  state.deviceOfSet.set(textOf(body, 'set_id'), device.thumbprint)
  notePresent(state, device, root)
  return ok({ address, wallet_id: walletId, created: true })
}

const firstOn = (root: StoredRoot, chainType: string) =>
  root.wallets.find((wallet) => wallet.chainType === chainType && wallet.index === 0)?.address ?? ''

/** What is asked of one root, named by an address. */
export const rootActions: Record<
  string,
  (
    state: State,
    app: string,
    root: StoredRoot,
    name: string,
    body: Body,
    device: StoredDevice | undefined,
  ) => Reply | Promise<Reply>
> = {
  async wallets(_, app, root, name, body) {
    const [chain, address] = [textOf(body, 'chain_type'), textOf(body, 'address')]
    const index = Number(body.wallet_index)
    const statement = statementOf.added(app, root.user, root.walletId, { chain, index, address })
    const both =
      (await proven(address, statement, body.proof)) && (await proven(name, statement, body.root_proof))
    if (!both) return refuse(401, 'invalid_credentials')
    if (root.secret === 'key' || (index > 0 && firstOn(root, chain) === ''))
      return refuse(400, 'invalid_state')
    const there = root.wallets.find((wallet) => wallet.chainType === chain && wallet.index === index)
    if (there) return ok({ address: there.address, created: false })
    root.wallets.push({ chainType: chain, index, address })
    return ok({ address, created: true })
  },
  auth_share(_, __, root, ___, body) {
    const asked = Array.isArray(body.set_ids) ? body.set_ids.map(String) : []
    if (asked.length === 0 || asked.length > 32) return refuse(400, 'invalid_data')
    const setId = asked.find((id) => root.sets.has(id))
    if (!setId) return refuse(404, 'linked_account_not_found')
    return ok({ wallet_id: root.walletId, set_id: setId, auth_share: root.sets.get(setId) })
  },
  async devices(state, app, root, name, body, device) {
    const setId = textOf(body, 'set_id')
    if (!(await proven(name, statementOf.device(app, root.user, root.walletId, setId), body.proof)))
      return refuse(401, 'invalid_credentials')
    root.sets.set(setId, textOf(body, 'auth_share'))
    if (device) state.deviceOfSet.set(setId, device.thumbprint)
    root.tries = 0
    return ok({})
  },
}
