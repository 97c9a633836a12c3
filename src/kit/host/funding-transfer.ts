/** Funding from another wallet of the user's, with what it needs of the kit; loaded when the user chooses it. */
import type { FlowContext } from '../../app/flow-context.ts'
import { isTestNetwork } from '../../funding/bridge/networks.ts'
import type { FundingOutcome, LeftMethod } from '../../funding/method.ts'
import { paymentsKey } from '../../funding/payments-key.ts'
import { type FundingTarget, readFundingSettings } from '../../funding/target.ts'
import { transferring } from '../../funding/transfer/flow.ts'
import { createPaymentStore } from '../../funding/transfer/payments.ts'
import { type BridgeClient, bridgeHosts, createBridgeClient } from '../../protocol/bridge.ts'
import type { KitContext } from '../context.ts'
import { sendByWallet, signByWallet } from '../wallets/external-send.ts'
import type { Sending } from '../wallets/sending.ts'
import { personOf } from './person.ts'

/** Runs the method. */
export async function transfer(
  kit: KitContext,
  { nodeOf, solana, activity, prices }: Pick<Sending, 'nodeOf' | 'solana' | 'activity' | 'prices'>,
  now: FlowContext,
  target: FundingTarget,
): Promise<FundingOutcome | LeftMethod> {
  const { appId, storage, clock, app } = kit
  const user = personOf(kit, 'funding a wallet')
  const services = await kit.services()
  return transferring({
    connecting: (cx) => ({ ...cx, ...services }),
    nodeOf,
    solana,
    activity,
    prices,
    payments: createPaymentStore(storage, { key: paymentsKey(appId, user.id), now: clock.now }),
    bridge: bridgeFor(kit, target),
    send: sendByWallet,
    sign: (account, place, request) => signByWallet({ clock, config: app.known }, place, account, request),
  })(now, target)
}

function bridgeFor({ app, fetch, clock }: KitContext, { chain }: FundingTarget): BridgeClient | undefined {
  const { bridging, bridge } = readFundingSettings(app.known())
  if (!bridging) return undefined
  const isTest = isTestNetwork(chain)
  const url = bridge ? (isTest ? bridge.testnetUrl : bridge.url) : bridgeHosts[isTest ? 'testnet' : 'mainnet']
  return createBridgeClient({ url, protocol: bridge?.protocol ?? 'quote', fetch, clock })
}
