/** The kit's provider on a real chain: its network, viem's own clients, a token, and a user who answers while time passes. */
import {
  type Address,
  type Chain,
  createPublicClient,
  createWalletClient,
  custom,
  encodeFunctionData,
  parseAbi,
} from 'viem'
import type { Scene } from '../../../../src/dialog/stage.ts'
import type { Fetch } from '../../../../src/lib/retrying-fetch.ts'
import { settled } from '../../../support/clock.ts'
import { type embeddedKit, ethereumAccount } from '../../../support/embedded-kit.ts'
import { limit } from '../../../support/limit.ts'

type Kit = ReturnType<typeof embeddedKit>

/** The network of an anvil, as hosts name it. */
export const anvilChain = (url: string) => ({
  id: 31_337,
  name: 'Anvil',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [url] } },
})

/** viem's own clients on a provider of the kit. */
export function clientsOf(provider: unknown, chain: Chain) {
  const transport = custom(provider as never)
  return {
    client: createWalletClient({ transport, account: ethereumAccount.address, chain }),
    reader: createPublicClient({ transport, chain, pollingInterval: 20 }),
  }
}

const abi = parseAbi([
  'function mint(uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function balanceOf(address owner) view returns (uint256)',
])
/** Calls and balances of the token of token-code.ts at an address. */
export const tokenAt = (token: Address, reader: ReturnType<typeof clientsOf>['reader']) => ({
  token,
  call: (functionName: 'mint' | 'transfer', args: readonly unknown[]) => ({
    to: token,
    data: encodeFunctionData({ abi, functionName, args: args as never }),
  }),
  balanceOf: (owner: Address) =>
    reader.readContract({ abi, address: token, functionName: 'balanceOf', args: [owner] }),
})

/**
 * A fetch that knows whether an answer is about to come. A node answers by the world's clock: the page's own would run ahead of it on a
 * busy machine. One that is silent is not waited for.
 */
export function nodeFetch(): { readonly fetch: Fetch; isAnswering(): boolean } {
  let open = 0
  let changedAt = 0
  const count = (by: number) => {
    open += by
    changedAt = performance.now()
  }
  return {
    async fetch(input, init) {
      count(1)
      try {
        return await fetch(input, init)
      } finally {
        count(-1)
      }
    },
    isAnswering: () => open > 0 && performance.now() - changedAt < limit(1_000),
  }
}

/** Has each screen that waits for the user answered, and lets time pass until the work is done. */
export async function answering<T>(
  { person, clock }: Pick<Kit, 'person' | 'clock'>,
  { isAnswering }: Pick<ReturnType<typeof nodeFetch>, 'isAnswering'>,
  work: Promise<T>,
  onScene: (scene: Scene) => void,
  step = 100,
): Promise<T> {
  let isOpen = true
  const over = work.finally(() => {
    isOpen = false
  })
  over.catch(() => {})
  while (isOpen) {
    const { scene } = person
    const { preparing } = (scene?.props ?? {}) as { preparing?: boolean }
    if (scene && !preparing && scene.busy === undefined) onScene(scene)
    await settled()
    if (!isAnswering()) await clock.advance(step)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return over
}
