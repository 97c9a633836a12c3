/** A smart wallet in a page, on the chain of stand-ins of a bundler and of a sponsor. */
import { base } from 'viem/chains'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { simple7702Address } from '../../../../demo/world/account-abstraction/contracts.ts'
import { memoryStorage } from '../../../../src/lib/storage.ts'
import type { CallsPreview } from '../../../../src/signing/calls/preview.ts'
import { tokenCode } from '../../../ethereum/support/token-code.ts'
import { embeddedKit, ethereumAccount, smartAccount } from '../../../support/embedded-kit.ts'
import { limit } from '../../../support/limit.ts'
import {
  newAddress,
  type StandIns,
  startStandIns,
} from '../../../world/account-abstraction/support/stand-ins.ts'
import { answering, clientsOf, nodeFetch, tokenAt } from './on-chain.ts'

export interface SmartWalletOptions {
  readonly isSponsored?: boolean
  readonly isHidden?: boolean
  readonly storage?: ReturnType<typeof memoryStorage>
}

/**
 * Stand-ins for the tests of a file, on whose chain the user's own address has the code of an account, as after an authorization. No
 * operation of one test waits when the next one begins: it would have the nonce of the next one's.
 */
export function smartWorld() {
  let world: StandIns
  beforeAll(async () => {
    world = await startStandIns()
    const bytecode = `0xef0100${simple7702Address.slice(2)}` as const
    await world.tester.setCode({ address: ethereumAccount.address, bytecode })
  })
  afterEach(async () => {
    world.bundler.behave('normal')
    world.paymaster.behave('normal')
    await expect.poll(() => world.bundler.waiting(base.id), { timeout: limit(30_000) }).toEqual([])
  })
  afterAll(() => world?.close())
  return {
    get world() {
      return world
    },
    setUp: (options: SmartWalletOptions = {}) => smartWalletOn(world, options),
  }
}

/** A user of a page whose smart wallet is on the chain of these stand-ins. */
async function smartWalletOn(
  world: StandIns,
  { isSponsored = false, isHidden = false, storage = memoryStorage() }: SmartWalletOptions = {},
) {
  const url = (path: string) => `${world.origin}/${path}/${base.id}`
  const node = nodeFetch()
  const set = embeddedKit({
    storage,
    host: {
      embeddedWallets: { showWalletUIs: !isHidden },
      supportedChains: [{ ...base, rpcUrls: { default: { http: [world.chain.url] } } }],
      rpcConfig: { rpcUrls: { [base.id]: world.chain.url } },
    },
    fetch: node.fetch,
    smartWallets: [smartAccount({})],
    smart: {
      enabled: true,
      smart_wallet_type: 'simple_7702',
      configured_networks: [
        {
          chain_id: `eip155:${base.id}`,
          bundler_url: url('bundler'),
          ...(isSponsored && { paymaster_url: url('paymaster'), paymaster_context: { policy_id: 'any' } }),
        },
      ],
    },
  })
  set.login()
  const { client, reader } = clientsOf(set.smartWallets.get()[0]?.getProvider(), base)
  const token = newAddress()
  await world.tester.setCode({ address: token, bytecode: tokenCode as `0x${string}` })
  const previews: CallsPreview[] = []
  const seen: string[] = []
  /** Answers screens as `answers` says until the work is done. */
  const following = <T>(
    work: Promise<T>,
    answers: Record<string, string> = {},
    answerOf: (id: string) => string | undefined = () => undefined,
  ): Promise<T> =>
    answering(set, node, work, (scene) => {
      const { id } = scene.screen
      const { preview } = scene.props as { preview?: CallsPreview }
      const answer = answerOf(id) ?? answers[id] ?? { 'approve-calls': 'approve' }[id]
      if (seen.at(-1) !== id) seen.push(id)
      if (preview && answer) previews.push(preview)
      if (answer) scene.answer(answer)
    })
  return { ...set, ...tokenAt(token, reader), client, reader, previews, seen, following }
}
