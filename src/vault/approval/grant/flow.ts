import { addWords } from '../../../copy/copy.ts'
import { errors } from '../../../copy/en/errors.ts'
import { permission as words } from '../../../copy/en/permission.ts'
import { Closed, type Stage } from '../../../dialog/stage.ts'
import { enrolmentRequired, isFrozen, notOnDevice, VaultError } from '../../errors.ts'
import { checkWallet } from '../../export/secret.ts'
import { parseRootName } from '../../keys/address.ts'
import type { RootName, WalletPath } from '../../model.ts'
import { type GrantOffer, giveGrant, reviewGrant } from '../../server/grants.ts'
import { withDeviceRoot } from '../../shares/device-root.ts'
import { shareContext, splitKey } from '../../wallets/split-key.ts'
import { wordsForFailure } from '../failure-words.ts'
import type { ApprovalContext, PurposeFlow } from '../purpose.ts'
import { describeGrant } from './describe.ts'
import { givePermission } from './give-permission.tsx'

addWords(words, errors)

/** The wallet that is lent, as this device has it. */
interface Lent {
  readonly root: RootName
  readonly path: WalletPath
  readonly address: string
}

/**
 * Lets a server of the app act with a wallet once the user has agreed, in the vault's own window, to what the vault's own server says it
 * may do.
 */
export const grant: PurposeFlow<'grant'> = async (cx) => {
  const { root, chainType, walletIndex, address, permission } = cx.asked.get()
  const name = await parseRootName(root.chainType, root.address)
  if (!name) throw new VaultError('invalid_request_arguments', 'The root is not an address')
  const wallet = { root: name, path: { chainType, index: walletIndex }, address }
  // A wallet that is not on this device is recovered first, and no window is needed to say so.
  await withDeviceRoot(cx.vault, await cx.token(), name, (open) => checkWallet(open, wallet), { fresh: true })
  const offer = await reviewGrant(cx.vault, await cx.token(), address, permission)
  if (offer.address !== address || offer.chainType !== chainType)
    throw new VaultError('invalid_request_arguments', 'The server has another wallet at this address')
  return cx.approving('high', (stage) => askOn(cx, stage, wallet, offer), {
    purpose: 'permission',
    stake: address,
  })
}

async function askOn(
  cx: ApprovalContext<'grant'>,
  stage: Stage,
  wallet: Lent,
  offer: GrantOffer,
): ReturnType<typeof grant> {
  const shown = describeGrant(cx.t, cx.vault.settings.appName, offer)
  let error: string | undefined
  for (;;) {
    if ((await stage.ask(givePermission, { ...shown, error })) === 'cancel')
      throw new Closed('The user declined')
    try {
      return await cx.commit(
        () => give(cx, wallet, offer),
        (given) => given,
      )
    } catch (cause) {
      stage.signal.throwIfAborted()
      if (
        cause instanceof Closed ||
        isFrozen(cause) ||
        (cause instanceof VaultError && final.has(cause.type))
      )
        throw cause
      cx.shown(cause)
      error = cx.t(wordsForFailure(cause, 'permission.failed'))
    }
  }
}

/** Failures that another press here would not mend, and about which the page can do something. */
const final: ReadonlySet<string> = new Set([
  ...['already_delegated', 'feature_not_enabled', enrolmentRequired().type, notOnDevice().type],
])

async function give(cx: ApprovalContext<'grant'>, { root, path, address }: Lent, offer: GrantOffer) {
  const { vault } = cx
  const token = await cx.token()
  const context = shareContext({ app: vault.settings.appId, user: token.user, address })
  const halves = await withDeviceRoot(vault, token, root, (open) =>
    open.withKey(path, (key) => splitKey(key.privateKey, offer.key.publicKey, context)),
  )
  const { permission } = cx.asked.get()
  return giveGrant(vault, token, offer, { permission, ...halves })
}
