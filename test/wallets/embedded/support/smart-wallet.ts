/** A smart wallet in a page, on the chain of stand-ins of a bundler and of a sponsor. */
import { createPublicClient, createWalletClient, custom, encodeFunctionData, parseAbi } from 'viem'
import { base } from 'viem/chains'
import { memoryStorage } from '../../../../src/lib/storage.ts'
import type { CallsPreview } from '../../../../src/signing/calls/preview.ts'
import { tokenCode } from '../../../ethereum/support/token-code.ts'
import { settled } from '../../../support/clock.ts'
import { embeddedKit, ethereumAccount, smartAccount } from '../../../support/embedded-kit.ts'
import { newAddress, type StandIns } from '../../../world/account-abstraction/support/stand-ins.ts'

const { address } = ethereumAccount
const abi = parseAbi([
  'function mint(uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function balanceOf(address owner) view returns (uint256)',
])

export interface SmartWalletOptions {
  readonly isSponsored?: boolean
  readonly isHidden?: boolean
  readonly storage?: ReturnType<typeof memoryStorage>
}

/** A user of a page whose smart wallet is on the chain of these stand-ins. */
export async function smartWalletOn(
  world: StandIns,
  { isSponsored = false, isHidden = false, storage = memoryStorage() }: SmartWalletOptions = {},
) {
  const url = (path: string) => `${world.origin}/${path}/${base.id}`
  const set = embeddedKit({
    storage,
    host: {
      embeddedWallets: { showWalletUIs: !isHidden },
      supportedChains: [{ ...base, rpcUrls: { default: { http: [world.chain.url] } } }],
      rpcConfig: { rpcUrls: { [base.id]: world.chain.url } },
    },
    fetch: (input, init) => fetch(input, init),
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
  const transport = custom(set.smartWallets.get()[0]?.getProvider() as never)
  const client = createWalletClient({ transport, account: address, chain: base })
  const reader = createPublicClient({ transport, chain: base, pollingInterval: 20 })
  const token = newAddress()
  await world.tester.setCode({ address: token, bytecode: tokenCode as `0x${string}` })
  const previews: CallsPreview[] = []
  const seen: string[] = []
  /** Answers screens as `answers` says, and lets time pass until the work is done. */
  const following = async <T>(
    work: Promise<T>,
    answers: Record<string, string> = {},
    answerOf: (id: string) => string | undefined = () => undefined,
  ): Promise<T> => {
    let isOpen = true
    const over = work.finally(() => {
      isOpen = false
    })
    over.catch(() => {})
    while (isOpen) {
      const { scene } = set.person
      const { preparing, preview } = (scene?.props ?? {}) as { preparing?: boolean; preview?: CallsPreview }
      if (scene && !preparing && scene.busy === undefined) {
        const { id } = scene.screen
        const answer = answerOf(id) ?? answers[id] ?? { 'approve-calls': 'approve' }[id]
        if (seen.at(-1) !== id) seen.push(id)
        if (preview && answer) previews.push(preview)
        if (answer) scene.answer(answer)
      }
      await settled()
      await set.clock.advance(100)
      // The node answers by the world's clock.
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    return over
  }
  const call = (functionName: 'mint' | 'transfer', args: readonly unknown[]) => ({
    to: token,
    data: encodeFunctionData({ abi, functionName, args: args as never }),
  })
  const balanceOf = (owner: `0x${string}`) =>
    reader.readContract({ abi, address: token, functionName: 'balanceOf', args: [owner] })
  return { ...set, client, reader, token, previews, seen, following, call, balanceOf }
}
