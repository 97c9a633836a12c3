/** The smart accounts of the user, and where the app sends their operations; loaded with the first use of one. */
import { KitError } from '../../errors/kit-error.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import type { Http } from '../../protocol/http.ts'
import {
  getSmartWalletSettings,
  type SmartWalletNetwork,
  type SmartWalletSettings,
} from '../../protocol/smart-wallets.ts'
import type { SmartWalletAccount, User } from '../../protocol/user.ts'
import type { OwnedAccount } from '../../signing/user-operation/adapter.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import { embeddedOf } from '../../wallets/embedded/listing.ts'
import type { SmartAccountCodec, SmartAccountKind } from '../../wallets/smart/account-codec.ts'
import { loadSmartAccountCodec } from '../../wallets/smart/accounts/features.ts'
import { type Bundler, createBundler } from '../../wallets/smart/bundler.ts'

export interface SmartAccounts {
  /** The app's settings; `undefined` for an app without smart wallets. */
  settings(): Promise<SmartWalletSettings | undefined>
  /** `undefined` for a chain on which the app has no smart wallets. */
  network(chainId: number): Promise<SmartWalletNetwork | undefined>
  /** The bundler of a chain. */
  bundler(chainId: number): Promise<Bundler | undefined>
  /**
   * The account that the app's settings give to an embedded wallet.
   * @throws KitError `feature_not_enabled` in an app without smart wallets, or with accounts that this version doesn't know
   */
  derive(owner: EmbeddedAccount): Promise<OwnedAccount>
  /**
   * A linked account of the user, with the wallet that owns it. What was stored of it counts, whatever the app's settings say now.
   * @throws KitError `embedded_wallet_not_found` unless one of the user's wallets owns it
   */
  find(
    account: Pick<SmartWalletAccount, 'address' | 'smartWalletType' | 'smartWalletVersion'>,
  ): Promise<OwnedAccount>
}

interface SmartAccountsContext {
  readonly appId: string
  services(): Promise<{ http(): Http }>
  user(): User | null
  /** The node at a URL, such as a bundler. */
  nodeAt(url: string): ChainNode
}

export function createSmartAccounts(cx: SmartAccountsContext): SmartAccounts {
  let known: Promise<SmartWalletSettings | undefined> | undefined
  const bundlers = new Map<string, Bundler>()

  function settings(): Promise<SmartWalletSettings | undefined> {
    if (!known) {
      const asking = cx.services().then(({ http }) => getSmartWalletSettings(http(), cx.appId))
      known = asking
      // A server that doesn't answer now is asked again.
      asking.catch(() => {
        if (known === asking) known = undefined
      })
    }
    return known
  }

  const network = async (chainId: number) =>
    (await settings())?.networks.find((each) => each.chainId === chainId)

  return {
    settings,
    network,
    async bundler(chainId) {
      const url = (await network(chainId))?.bundlerUrl
      if (url === undefined) return undefined
      const bundler = bundlers.get(url) ?? createBundler({ url, node: cx.nodeAt(url) })
      bundlers.set(url, bundler)
      return bundler
    },
    async derive(owner) {
      const own = await settings()
      if (!own) throw new KitError('feature_not_enabled', 'The app has no smart wallets')
      const codec = await loadCodec(own.type, own.version)
      if (!codec)
        throw new KitError('feature_not_enabled', `Smart wallets of the type ${own.type} are not supported`)
      return accountOf(codec, owner)
    },
    async find({ address, smartWalletType: type, smartWalletVersion: version }) {
      const own = await settings()
      const owners = embeddedOf(cx.user()).filter(({ chainType }) => chainType === 'ethereum')
      // A server that stores no version has accounts of the one that was the usual one when they were linked.
      const versions =
        version === undefined ? [own?.type === type ? own.version : undefined, undefined] : [version]
      for (const each of versions) {
        const codec = await loadCodec(type, each)
        const found = codec && owners.map((owner) => accountOf(codec, owner)).find(isAt(address))
        if (found) return found
      }
      throw new KitError(
        'embedded_wallet_not_found',
        'The smart wallet has no owner among the embedded wallets',
      )
    },
  }
}

const isAt = (address: string) => (account: OwnedAccount) =>
  account.address.toLowerCase() === address.toLowerCase()

function accountOf(codec: SmartAccountCodec, owner: EmbeddedAccount): OwnedAccount {
  return { address: codec.getAddress(owner.address as `0x${string}`), codec, owner }
}

/** `undefined` for a kind or version that this version doesn't know. */
async function loadCodec(type: string, version: string | undefined): Promise<SmartAccountCodec | undefined> {
  try {
    return await loadSmartAccountCodec(type as SmartAccountKind, version)
  } catch (cause) {
    if (cause instanceof InvalidRequest) return undefined
    throw cause
  }
}
