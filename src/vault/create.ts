import { recoveryMethods } from '../wire/frame/calls.ts'
import { addWallet } from './add.ts'
import { randomBytes } from './bytes.ts'
import { exclusively, recordsOf, type VaultContext } from './context.ts'
import { nameOf } from './derive/address.ts'
import { secretLengths } from './envelope.ts'
import { notOnDevice, VaultError } from './errors.ts'
import { found } from './found.ts'
import type { ChainType, RecoveryWish } from './model.ts'
import { changeRecovery } from './recovery/change.ts'
import type { Token } from './token.ts'

/**
 * Makes the person's first wallet on a chain, or finds the one that they have. Resolves with its address. All first
 * wallets come from one entropy: where that is there already, a way of recovery of the person's own takes the place of
 * the one that it has, for nobody may be told that it is done while another one is in force; automatic recovery does
 * not. Throws {@link VaultError}, 'wallet_not_on_device' when the entropy has to be recovered before.
 */
export function createWallet(
  cx: VaultContext,
  token: Token,
  chainType: ChainType,
  wish: RecoveryWish,
): Promise<string> {
  return exclusively(cx, token, async () => {
    const own = await fromOwnRoot(cx, token, chainType)
    if (own) return withWish(cx, token, chainType, own, wish)
    const { kind, secret } = ENTROPY
    const { address: there, ours } = await found(cx, token, { kind, secret, chainType, wish })
    const address = there ?? (await fromOwnRoot(cx, token, chainType))
    if (!address) throw notOnDevice()
    return ours ? address : withWish(cx, token, chainType, address, wish)
  })
}

/** An earlier try has come to its end, perhaps unheard, but it is this one's secret that the person will keep. */
async function withWish(
  cx: VaultContext,
  token: Token,
  chainType: ChainType,
  address: string,
  wish: RecoveryWish,
): Promise<string> {
  if (wish.method !== recoveryMethods.automatic)
    await changeRecovery(cx, token, nameOf(chainType, address), wish)
  return address
}

const ENTROPY = { kind: 'entropy', secret: () => randomBytes(secretLengths.entropy) } as const

/** The first wallet on a chain, from the entropy that this device has; `undefined` when it has none that is sound. */
async function fromOwnRoot(
  cx: VaultContext,
  token: Token,
  chainType: ChainType,
): Promise<string | undefined> {
  for (const record of await recordsOf(cx, token)) {
    if (record.kind !== 'entropy' || !record.committed) continue
    try {
      return await addWallet(cx, token, record, { chainType, index: 0 })
    } catch (cause) {
      if (!(cause instanceof VaultError && cause.type === 'wallet_not_on_device')) throw cause
    }
  }
  return undefined
}
