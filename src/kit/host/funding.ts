/** The dialog in which users fund a wallet; loaded with its first opening. */
import { KitError } from '../../errors/kit-error.ts'
import { formatUnits } from '../../ethereum/amounts.ts'
import { quantity } from '../../ethereum/answers.ts'
import { assertChainId } from '../../ethereum/prepare-transaction.ts'
import { readToken } from '../../ethereum/tokens.ts'
import { fund } from '../../funding/flow.ts'
import type { FundingMethods } from '../../funding/method.ts'
import { type ReceivingOptions, receiving } from '../../funding/receive/flow.ts'
import { type FundingTarget, readFundingSettings, readFundingTarget } from '../../funding/target.ts'
import { Unreachable } from '../../lib/node-errors.ts'
import { getBalance, listOf, recordOf } from '../../solana/queries.ts'
import { embeddedOf } from '../../wallets/embedded/listing.ts'
import type { FundedWallet, FundWalletOptions } from '../api.ts'
import type { KitContext } from '../context.ts'
import type { Sending } from '../wallets/sending.ts'
import { personOf } from './person.ts'

/**
 * Opens the dialog for {@link Kit.fundWallet}. The kit is ready.
 * @param loadTransfer loads what transfers from another wallet, once the user chooses that
 */
export async function fundWallet(
  cx: KitContext,
  sending: Pick<Sending, 'nodeOf' | 'solana' | 'activity' | 'prices'>,
  { surface, signal, defaultMethod, ...choice }: FundWalletOptions = {},
  loadTransfer?: () => Promise<typeof import('./funding-transfer.ts')>,
): Promise<FundedWallet> {
  const user = personOf(cx, 'funding a wallet')
  const config = cx.app.known()
  const settings = readFundingSettings(config)
  const linked = user.linkedAccounts.flatMap((account) => (account.type === 'wallet' ? account : []))
  const target = readFundingTarget(config, settings, [...embeddedOf(user), ...linked], choice)
  const network = await networkOf(sending, target)
  const methods: FundingMethods = {
    ...(settings.methods.includes('external') && {
      ...(loadTransfer && {
        wallet: async (now, place) => (await loadTransfer()).transfer(cx, sending, now, place),
      }),
      manual: receiving(network),
    }),
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
  const { method, status, received, transactionHash } = await cx.runs.run(
    'fund',
    { surface, signal },
    (stage) => fund(cx.flow(stage), { target, methods, first: defaultMethod, readBalance }),
  )
  const { address, chain, asset, symbol, decimals } = target
  const amount = received === undefined ? undefined : formatUnits(received, decimals).replaceAll(',', '')
  const result = { method, status, address, chain, asset, symbol, amount, transactionHash }
  cx.events.emit('funded', result)
  return result
}

async function networkOf(
  sending: Pick<Sending, 'nodeOf' | 'solana'>,
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
