/** A smart account as the kit drives it: prepared, signed by its owner's key, stored, given to the bundler, and followed. */
import type { Hex, LocalAccount } from 'viem'
import type { ActivityEntry } from '../../../../src/activity/entry.ts'
import type { Followed } from '../../../../src/activity/tracker.ts'
import type { RpcRequest } from '../../../../src/protocol/frame/calls.ts'
import { createAccountSigner } from '../../../../src/signing/user-operation/content.ts'
import type { EmbeddedAccount } from '../../../../src/wallets/embedded/embedded-wallets.ts'
import type { SmartCall } from '../../../../src/wallets/smart/account-codec.ts'
import {
  type OperationContext,
  type PreparedOperation,
  type PrepareOperationOptions,
  prepareOperation,
} from '../../../../src/wallets/smart/operation.ts'
import { toOwnerRpc } from '../../../../src/wallets/smart/owner-rpc.ts'
import { entryOf, followEntry, submitEntry } from './sending.ts'

export const embeddedOwner = (address: string) => ({ address, chainType: 'ethereum' }) as EmbeddedAccount

/** Carries out a call of the vault's frame with a key. */
export async function signRpc(key: LocalAccount, rpc: RpcRequest | undefined): Promise<Hex> {
  const [first, second] = (rpc?.params ?? []) as readonly unknown[]
  switch (rpc?.method) {
    case 'personal_sign':
      return key.signMessage({ message: { raw: first as Hex } })
    case 'eth_signTypedData_v4':
      return key.signTypedData(second as never)
    case 'secp256k1_sign':
      if (key.sign) return key.sign({ hash: first as Hex })
  }
  throw new Error(`The key has no method ${rpc?.method}`)
}

export function createAccount(cx: OperationContext, key: LocalAccount) {
  const { codec, chainId, node } = cx
  const address = cx.address ?? codec.getAddress(key.address)

  async function prepare(
    calls: readonly SmartCall[],
    options: PrepareOperationOptions = {},
  ): Promise<PreparedOperation> {
    const result = await prepareOperation(cx, calls, options)
    if (result.outcome !== 'prepared') throw result.error
    return result
  }
  const toEntry = async (prepared: PreparedOperation, signer = key): Promise<ActivityEntry> =>
    entryOf(cx, prepared, await signRpc(signer, toOwnerRpc(prepared.payload, key.address)))

  /** @returns the entry by which it is followed */
  async function submit(prepared: PreparedOperation, signer = key): Promise<ActivityEntry> {
    const entry = await toEntry(prepared, signer)
    await submitEntry(cx, entry)
    return entry
  }
  /** The last that the activity says of an operation. @param time the clock of the waits */
  async function follow(entry: ActivityEntry, time = cx.clock): Promise<Followed> {
    const last = (await followEntry({ ...cx, clock: time }, entry)).at(-1)
    if (!last) throw new Error('Nothing was said of the operation')
    return last
  }

  return {
    cx,
    key,
    address,
    prepare,
    toEntry,
    submit,
    follow,
    async send(
      calls: readonly SmartCall[],
      options: PrepareOperationOptions & { time?: typeof cx.clock } = {},
    ) {
      const prepared = await prepare(calls, options)
      const entry = await submit(prepared)
      return { prepared, entry, ...(await follow(entry, options.time)) }
    },
    /** @param message in 0x-hex */
    async signMessage(message: Hex): Promise<Hex> {
      const code = await node.ask('eth_getCode', [address, 'latest'])
      const account = { address, codec, owner: embeddedOwner(key.address) }
      const { rpc, read } = createAccountSigner({ account, chainId, isDeployed: code !== '0x' }).sign({
        message,
      })
      return read(await signRpc(key, rpc)) as Hex
    },
  }
}
export type Account = ReturnType<typeof createAccount>
