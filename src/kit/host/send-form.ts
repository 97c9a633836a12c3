/** The form with which users send; loaded with its first opening. */
import { tokensOn } from '../../balances/balances.ts'
import type { WatchedToken } from '../../balances/watched.ts'
import { KitError } from '../../errors/kit-error.ts'
import { parseEthereumAddress } from '../../ethereum/address.ts'
import { chainOf } from '../../ethereum/chains.ts'
import type { WalletTransaction } from '../../ethereum/transaction.ts'
import { createStore, type Readable, type Store } from '../../lib/store.ts'
import type { SendAsset, SendChain, SendWallet } from '../../signing/send/asset.ts'
import { createEthereumSend, type ResolveName } from '../../signing/send/ethereum.ts'
import type { SentExternally } from '../../signing/send/external.ts'
import { sendByForm } from '../../signing/send/flow.ts'
import { createSolanaSend } from '../../signing/send/solana.ts'
import type { SolanaRequest } from '../../solana/prepare.ts'
import type { SolanaReceipt } from '../../solana/receipt.ts'
import type { EmbeddedWallets } from '../../wallets/embedded/embedded-wallets.ts'
import type { ConnectedAccount } from '../../wallets/external/connector.ts'
import type { Balance, SendFormOptions, SentByForm, TransactionReceipt } from '../api.ts'
import type { KitContext } from '../context.ts'
import { serviceFeatures } from '../services/features.ts'
import { sendByWallet, signByWallet } from '../wallets/external-send.ts'
import type { SolanaChain } from '../wallets/follow.ts'
import type { Sending } from '../wallets/sending.ts'
import type { KitBalances } from './balances.ts'
import { personOf } from './person.ts'
import { sendForHost } from './requests.ts'
import { runSigning } from './signing.ts'

/** Opens the form for {@link Kit.openSend}. The kit is ready. */
export async function openSend(
  cx: KitContext,
  sending: Sending,
  balances: Pick<KitBalances, 'of'>,
  options: SendFormOptions = {},
): Promise<SentByForm> {
  const { signal, surface } = options
  const { embedded, external } = await walletsOf(cx)
  const held = createStore<readonly Balance[]>([])
  const service = balances.of(() => wallets, held)
  const wallets: readonly SendWallet[] = [
    ...(embedded?.list() ?? []).map(({ address, chainType }) => ({ address, chainType })),
    ...external.map(({ address, chainType, meta }) => ({ address, chainType, name: meta.name })),
  ]
  if (wallets.length === 0)
    throw new KitError('embedded_wallet_not_found', 'The user must have a wallet before sending')
  // The coins are known before any network has answered.
  const reading = service.refresh()
  const assets = assetsOf(held, wallets)
  const first = firstOf(cx, options, assets.get(), sending.watched.tokens.get())
  let isSent = false
  try {
    // A token can be sent once its contract has said what it is.
    if (!assets.get().some(first)) await reading
    if (!assets.get().some(first))
      throw new KitError('network_unavailable', "The token can't be read", { retryable: true })
    const refusal = assets.get().find(first)?.refusal
    if (options.asset !== undefined && refusal !== undefined)
      throw new KitError('invalid_request_arguments', 'The token can not be sent by the form', {
        details: refusal,
      })
    const { entry, receipt } = await sendForHost(cx, sending, { signal }, (onBroadcast, turn) =>
      runSigning(cx, { surface, signal, turn }, (now) =>
        sendByForm(now, {
          assets,
          refresh: () => reading,
          reread: service.refresh,
          first,
          prefill: { to: options.to, amount: options.amount },
          wallets,
          entries: cx.activity,
          tokensOf: (chain) => tokensOn(cx.app.known(), chain, sending.watched.tokens.get()),
          allowsNames: cx.app.known().host.ensNames === true,
          isSent: () => isSent,
          chainOf: (asset) =>
            chainOfAsset(cx, sending, {
              asset,
              signer: signerOf(asset, { cx, sending, embedded, external }),
              onBroadcast(outcome) {
                outcome.then(
                  () => {
                    isSent = true
                  },
                  () => {},
                )
                onBroadcast(outcome)
              },
            }),
        }),
      ),
    )
    const { chain, wallet, hash } = entry
    const result = { transactionHash: hash, receipt: receipt as TransactionReceipt & SolanaReceipt }
    cx.events.emit('receipt', { ...result, chain, address: wallet })
    return { ...result, chain, address: wallet }
  } finally {
    service.clear()
  }
}

interface Wallets {
  /** `undefined` for a user without embedded wallets. */
  readonly embedded: EmbeddedWallets | undefined
  readonly external: readonly ConnectedAccount[]
}

async function walletsOf(cx: KitContext): Promise<Wallets> {
  const { linkedAccounts } = personOf(cx, 'sending')
  const { wallets } = await cx.services()
  const hasEmbedded = linkedAccounts.some((account) => account.type === 'wallet' && account.embedded)
  const embedded = hasEmbedded ? await wallets.embedded() : undefined
  const external = cx.wallets.get().length > 0 ? (await wallets.external()).connected.get() : []
  const own = new Set(embedded?.list().map(({ address }) => address))
  return { embedded, external: external.filter(({ address }) => !own.has(address)) }
}

/** What can be sent: whatever has a symbol and decimals. */
function assetsOf(
  balances: Store<readonly Balance[]>,
  wallets: readonly SendWallet[],
): Readable<readonly SendAsset[]> {
  let from: readonly Balance[] | undefined
  let list: readonly SendAsset[] = []
  const get = () => {
    const now = balances.get()
    if (now !== from) list = now.flatMap((balance) => toAsset(balance, wallets))
    from = now
    return list
  }
  return { get, subscribe: balances.subscribe }
}

function toAsset(
  { chain, network, token, symbol, decimals, name, amount, price, isFrozen, refusal, ...balance }: Balance,
  wallets: readonly SendWallet[],
): readonly SendAsset[] {
  const wallet = wallets.find(({ address }) => address === balance.wallet)
  if (!wallet || symbol === undefined || decimals === undefined || balance.status === 'no-token') return []
  return [
    { chain, network, wallet, token, symbol, decimals, name, balance: amount, price, isFrozen, refusal },
  ]
}

/** Names the asset that the page has chosen. @throws KitError for one that can't be sent here */
function firstOf(
  cx: KitContext,
  { from, chain, asset }: SendFormOptions,
  assets: readonly SendAsset[],
  watched: readonly WatchedToken[],
): (asset: SendAsset) => boolean {
  const token = asset === undefined || asset === 'native' ? undefined : (parseEthereumAddress(asset) ?? asset)
  const isPlace = (each: SendAsset) =>
    (from === undefined || each.wallet.address === from) && (chain === undefined || each.chain === chain)
  if (from !== undefined && !assets.some(({ wallet }) => wallet.address === from))
    throw new KitError('embedded_wallet_not_found', 'The user has no such wallet')
  if (!assets.some(isPlace))
    throw new KitError('unsupported_chain_id', `Chain ${String(chain).slice(0, 64)} is not supported`)
  if (token !== undefined) {
    const known = [...new Set(assets.filter(isPlace).map((each) => each.chain))]
    if (!known.some((each) => tokensOn(cx.app.known(), each, watched).includes(token)))
      throw new KitError(
        'invalid_request_arguments',
        'The token must be added to the config.tokens property before it can be sent',
      )
  }
  return (each) => isPlace(each) && (asset === undefined || each.token === token)
}

interface Part {
  readonly asset: SendAsset
  readonly signer: Parameters<typeof createEthereumSend>[0]['signer']
  readonly onBroadcast: Parameters<typeof createEthereumSend>[0]['onBroadcast']
}

async function chainOfAsset(cx: KitContext, sending: Sending, part: Part): Promise<SendChain> {
  const { asset } = part
  const config = cx.app.known()
  const funding = sending.funding({ address: asset.wallet.address, chain: asset.chain })
  const shared = { ...part, activity: sending.activity, origin: cx.page.origin, funding }
  if (asset.wallet.chainType === 'solana') {
    const { cluster, rpc, room } = await solanaOf(sending, asset)
    const spl =
      asset.token === undefined
        ? undefined
        : (await room.readSplBalances(rpc, asset.wallet.address, [asset.token])).get(asset.token)
    if (asset.token !== undefined && !spl)
      throw new KitError('invalid_data', 'There is no token at this mint')
    return createSolanaSend({
      ...shared,
      spl,
      cluster,
      rpc,
      room,
      clock: cx.clock,
      prices: sending.review()?.prices,
    })
  }
  const chainId = Number(asset.chain.split(':')[1])
  const node = sending.nodeOf(chainId)
  const chain = chainOf(config, chainId)
  if (!node || !chain) throw new KitError('unsupported_chain_id', `There is no node for chain ID ${chainId}`)
  const mainnet = config.host.ensNames ? sending.nodeOf(ENS_CHAIN) : undefined
  const resolve: ResolveName = async (...input) =>
    (await serviceFeatures.ethereumNames()).resolveName(...input)
  return createEthereumSend({
    ...shared,
    coin: chain.nativeCurrency,
    chainId,
    config,
    node,
    review: sending.review(),
    ...(mainnet && { names: { node: mainnet, resolve } }),
  })
}
/** ENS is on Ethereum's mainnet. */
const ENS_CHAIN = 1

async function solanaOf(sending: Sending, { chain }: SendAsset): Promise<SolanaChain> {
  const found = await sending.solana(chain)
  if (!found) throw new KitError('unsupported_chain_id', `Cluster ${chain} is not supported`)
  return found
}

/** The wallet of an asset, as what signs for it. */
function signerOf(
  asset: SendAsset,
  { cx, sending, embedded, external }: Wallets & { cx: KitContext; sending: Sending },
): Part['signer'] {
  const { address, chainType } = asset.wallet
  const own = embedded?.list().find((each) => each.address === address)
  if (own) return own
  const account = external.find((each) => each.address === address && each.chainType === chainType)
  if (!account) throw new KitError('wallet_disconnected', 'The wallet is no longer connected')
  const { id, name, icon } = account.meta
  const wallet = { id, name, icon }
  return chainType === 'ethereum'
    ? { ...wallet, chainType, submit: (request: WalletTransaction) => submitEthereum(account, request) }
    : {
        ...wallet,
        chainType,
        submit: (request: SolanaRequest) => submitSolana(cx, sending, { account, asset, request }),
      }
}

/** Has an external wallet send; it is moved to the chain first, and reviews the transaction itself. */
async function submitEthereum(
  account: ConnectedAccount,
  request: WalletTransaction,
): Promise<SentExternally> {
  await account.connector.switchChain(request.chainId)
  return sendByWallet(account, request)
}

async function submitSolana(
  cx: KitContext,
  sending: Sending,
  { account, asset, request }: { account: ConnectedAccount; asset: SendAsset; request: SolanaRequest },
): Promise<SentExternally> {
  const chain = await solanaOf(sending, asset)
  const { sent, broadcast } = await signByWallet(
    { clock: cx.clock, config: cx.app.known },
    chain,
    account,
    request,
  )
  await broadcast()
  return sent
}
