/** The dialog in which users fund a wallet; loaded with its first opening. */
import { Closed } from '../../dialog/stage.ts'
import type { Surface } from '../../dialog/surface.ts'
import { KitError } from '../../errors/kit-error.ts'
import { parseEthereumAddress } from '../../ethereum/address.ts'
import { formatUnits } from '../../ethereum/amounts.ts'
import { quantity } from '../../ethereum/answers.ts'
import { assertChainId } from '../../ethereum/prepare-transaction.ts'
import { readToken } from '../../ethereum/tokens.ts'
import { type FundingOptions, fund } from '../../funding/flow.ts'
import type { FundingMethods, FundingOutcome } from '../../funding/method.ts'
import { type ReceivingOptions, receiving } from '../../funding/receive/flow.ts'
import {
  type FundingAsset,
  type FundingTarget,
  type FundingWallet,
  readFundingSettings,
  readFundingTarget,
} from '../../funding/target.ts'
import { USDC } from '../../funding/usdc.ts'
import { Unreachable } from '../../lib/node-errors.ts'
import type { FundingOffer, Shortage } from '../../signing/transaction/funding.ts'
import { getBalance, listOf, recordOf } from '../../solana/queries.ts'
import { embeddedOf } from '../../wallets/embedded/listing.ts'
import type { FundedWallet, FundWalletOptions } from '../api.ts'
import type { KitContext } from '../context.ts'
import type { Sending } from '../wallets/sending.ts'
import { personOf } from './person.ts'

type Nodes = Pick<Sending, 'nodeOf' | 'solana'>

/** Opens the dialog for {@link Kit.fundWallet}. The kit is ready. */
export async function fundWallet(
  cx: KitContext,
  nodes: Nodes,
  { surface, signal, ...choice }: FundWalletOptions = {},
): Promise<FundedWallet> {
  const plan = await planFunding(cx, nodes, choice)
  return cx.runs.run('fund', { surface, signal }, async (stage) => {
    const outcome = await fund(cx.flow(stage), plan)
    if (outcome === 'back') throw new Closed('The user went back')
    return announce(cx, plan, outcome)
  })
}

/** Determines the wallet, the asset and the methods. @throws KitError where the app or the page asks for what can't be funded */
async function planFunding(
  cx: KitContext,
  sending: Nodes,
  { defaultMethod, ...choice }: Omit<FundWalletOptions, 'surface' | 'signal'>,
): Promise<FundingOptions> {
  const user = personOf(cx, 'funding a wallet')
  const config = cx.app.known()
  const settings = readFundingSettings(config)
  const linked = user.linkedAccounts.flatMap((account) => (account.type === 'wallet' ? account : []))
  const target = readFundingTarget(config, settings, [...embeddedOf(user), ...linked], choice)
  const network = await networkOf(sending, target)
  const methods: FundingMethods = {
    ...(settings.methods.includes('external') && { manual: receiving(network) }),
  }
  if (Object.keys(methods).length === 0)
    throw new KitError('invalid_configuration', "Couldn't find funding config", {
      details: 'The app offers no method of funding that this version has',
    })
  if (defaultMethod !== undefined && !methods[defaultMethod])
    throw new KitError('invalid_request_arguments', 'Invalid funding data', {
      details: 'The app does not offer the default method',
    })
  const { readBalance } = network
  return { target, methods, first: defaultMethod, readBalance }
}

/** Emits what has come of funding, and makes the host's result of it. */
function announce(
  cx: KitContext,
  { target }: FundingOptions,
  { method, status, received, transactionHash }: FundingOutcome,
): FundedWallet {
  const { address, chain, asset, symbol, decimals } = target
  const amount = received === undefined ? undefined : toText(received, decimals)
  const result = { method, status, address, chain, asset, symbol, amount, transactionHash }
  cx.events.emit('funded', result)
  return result
}

/** An amount in whole units, without separators of thousands. */
const toText = (amount: bigint, decimals: number) => formatUnits(amount, decimals).replaceAll(',', '')

/** A wallet on one network, CAIP-2. */
interface FundingPlace {
  readonly address: string
  readonly chain: string
}

/**
 * The app's offer to fund a wallet for a transaction on one network: its coin, and USDC. `undefined` where no method of the app brings
 * either.
 */
export async function offerFunding(
  cx: KitContext,
  nodes: Nodes,
  place: FundingPlace,
): Promise<FundingOffer | undefined> {
  const planFor = async (asset: FundingAsset): Promise<FundingOptions | undefined> => {
    try {
      return await planFunding(cx, nodes, { ...place, asset })
    } catch (cause) {
      if (cause instanceof KitError) return undefined
      throw cause
    }
  }
  const [coin, usdc] = await Promise.all([planFor('native-currency'), planFor(USDC)])
  if (!coin && !usdc) return undefined
  const targetOf = ({ token }: Shortage): FundingTarget | undefined =>
    token === undefined ? coin?.target : isSameToken(token, usdc?.target.token) ? usdc?.target : undefined
  return {
    covers: (shortage) => targetOf(shortage) !== undefined,
    async add(flow, shortage) {
      const target = targetOf(shortage)
      if (!target) return
      const { asset, decimals } = target
      const { missing } = shortage
      const amount = missing === undefined ? {} : { amount: toText(missing, decimals) }
      // Meanwhile the host may have changed its chains, and the server the app's settings.
      const plan = await planFunding(cx, nodes, { ...place, asset, ...amount })
      const outcome = await fund(flow, { ...plan, exit: 'back' })
      if (outcome !== 'back') announce(cx, plan, outcome)
    },
  }
}

/** Addresses of Ethereum are the same in any case of their letters. */
const isSameToken = (one: string, other: string | undefined): boolean =>
  one === other || (parseEthereumAddress(one) ?? one) === other

/**
 * Offers to fund a wallet that a login has created, in a dialog of its own. Never rejects for what keeps it from being offered, nor for a
 * user who declines.
 */
export async function promptFunding(
  cx: KitContext,
  nodes: Nodes,
  created: readonly FundingWallet[],
  surface: Surface | undefined,
): Promise<void> {
  const { funding } = cx.app.known().app
  const kind = funding?.chain?.startsWith('solana:') ? 'solana' : 'ethereum'
  const wallet = created.find(({ chainType }) => chainType === kind) ?? created[0]
  if (!funding?.promptOnCreation || !wallet) return
  try {
    const plan = await planFunding(cx, nodes, { address: wallet.address })
    await cx.runs.run('fund', { surface, outlivesRefusals: true }, async (stage) => {
      const outcome = await fund(cx.flow(stage), { ...plan, exit: 'skip' })
      if (outcome !== 'back') announce(cx, plan, outcome)
    })
  } catch (cause) {
    const expected = ['exited_funding_flow', 'flow_in_progress', 'session_changed']
    if (!(cause instanceof KitError && expected.includes(cause.code))) throw cause
  }
}

async function networkOf(
  sending: Nodes,
  { address, chain, chainType, token }: FundingTarget,
): Promise<ReceivingOptions> {
  const unsupported = () => new KitError('unsupported_chain_id', `There is no node for chain ${chain}`)
  if (chainType === 'solana') {
    const found = await sending.solana(chain)
    if (!found) throw unsupported()
    const { rpc, room } = found
    return {
      async readBalance(signal) {
        if (token === undefined) return getBalance(rpc, address, { signal })
        // A wallet without an account of the token has none of it.
        return (await room.readSplBalances(rpc, address, [token], { signal })).get(token)?.amount ?? 0n
      },
      async findPayment(reference, signal) {
        const options = { limit: 1, commitment: 'confirmed' }
        const [first] = listOf(await rpc.ask('getSignaturesForAddress', [reference, options], { signal }))
        const { signature, err } = first === undefined ? {} : recordOf(first)
        return typeof signature === 'string' && err === null ? signature : undefined
      },
    }
  }
  const chainId = Number(chain.slice('eip155:'.length))
  const node = sending.nodeOf(chainId)
  if (!node) throw unsupported()
  let isChecked = false
  return {
    async readBalance(signal) {
      if (!isChecked) await assertChainId(node, chainId, signal)
      isChecked = true
      if (token === undefined)
        return quantity('a balance')(await node.ask('eth_getBalance', [address, 'latest'], { signal }))
      const found = await readToken(node, token, { owner: address, signal })
      if (found.kind === 'unknown' || found.balance === undefined)
        throw new Unreachable("The token's balance can't be read")
      return found.balance
    },
  }
}
