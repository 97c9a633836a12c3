import { addWords } from '../../../copy/copy.ts'
import { errors } from '../../../copy/en/errors.ts'
import { permission as words } from '../../../copy/en/permission.ts'
import { Closed, type Stage } from '../../../dialog/stage.ts'
import { enrolmentRequired, isFrozen, notOnDevice, VaultError } from '../../errors.ts'
import { parseRootName } from '../../keys/address.ts'
import type { GrantOffer } from '../../server/grants.ts'
import { type LentWallet, lendWallet, offerGrant } from '../../wallets/give-grant.ts'
import { wordsForFailure } from '../failure-words.ts'
import type { ApprovalContext, PurposeFlow } from '../purpose.ts'
import { describeGrant } from './describe.ts'
import { givePermission } from './give-permission.tsx'

addWords(words, errors)

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
  const offer = await offerGrant(cx.vault, cx.token, wallet, permission)
  return cx.approving('high', (stage) => askOn(cx, stage, wallet, offer), {
    purpose: 'permission',
    stake: address,
  })
}

async function askOn(
  cx: ApprovalContext<'grant'>,
  stage: Stage,
  wallet: LentWallet,
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

async function give(cx: ApprovalContext<'grant'>, wallet: LentWallet, offer: GrantOffer) {
  const { permission } = cx.asked.get()
  return lendWallet(cx.vault, await cx.token(), wallet, { offer, permission })
}
