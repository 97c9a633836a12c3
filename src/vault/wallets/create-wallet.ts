import { recoveryMethods } from '../../protocol/frame/calls.ts'
import { randomBytes } from '../bytes.ts'
import { recordsOf, type VaultContext } from '../context.ts'
import { notOnDevice, VaultError } from '../errors.ts'
import { rootNameOf } from '../keys/address.ts'
import type { ChainType, RecoveryRequest } from '../model.ts'
import { changeRecovery } from '../recovery/change.ts'
import { secretLengths } from '../shares/envelope.ts'
import { exclusively } from '../shares/exclusively.ts'
import type { Token } from '../token.ts'
import { createRoot } from './create-root.ts'
import { addWallet } from './derive-wallet.ts'

/**
 * Makes the person's first wallet on a chain, or finds the one that they have. Resolves with its address. All first
 * wallets come from one entropy: where that is there already, a recovery method of the person's own takes the place of
 * the one that it has, for nobody may be told that it is done while another one is in force; automatic recovery does
 * not. Throws {@link VaultError}, 'wallet_not_on_device' when the entropy has to be recovered before.
 */
export function createWallet(
  cx: VaultContext,
  token: Token,
  chainType: ChainType,
  recovery: RecoveryRequest,
): Promise<string> {
  return exclusively(cx, token, async () => {
    const own = await fromOwnRoot(cx, token, chainType)
    if (own) return withRecovery(cx, token, chainType, own, recovery)
    const { kind, secret } = ENTROPY
    const { address: there, ours } = await createRoot(cx, token, { kind, secret, chainType, recovery })
    const address = there ?? (await fromOwnRoot(cx, token, chainType))
    if (!address) throw notOnDevice()
    return ours ? address : withRecovery(cx, token, chainType, address, recovery)
  })
}

/** An earlier try has come to its end, perhaps unheard, but it is this one's secret that the person will keep. */
async function withRecovery(
  cx: VaultContext,
  token: Token,
  chainType: ChainType,
  address: string,
  recovery: RecoveryRequest,
): Promise<string> {
  if (recovery.method !== recoveryMethods.automatic)
    await changeRecovery(cx, token, rootNameOf(chainType, address), recovery)
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
