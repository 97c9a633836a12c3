/** The code behind a proxy, for which its descriptor may be made. A node says it, and it only chooses among descriptors. */
import { type ChainRpc, createChainRpc } from '../chains/rpc.ts'
import { nodeUrlsOf, type RpcUrls } from '../settings/chain-rpc-urls.ts'
import type { Limits } from '../settings/limits.ts'

/** The slots in which proxies store the address of their code, or of the beacon that says it (EIP-1967). */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const BEACON_SLOT = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'
/** Selector of a beacon's `implementation()`. */
const IMPLEMENTATION = '0x5c60da1b'
/** Proxies of a Safe store the address of their code in their first slot. Of any other contract that slot says nothing. */
const FIRST_SLOT = '0x0'
/** Executable code of these proxies, before the compiler's metadata: versions 1.1.1 to 1.4.1, and 1.0.0. */
const safes = [
  /^0x608060405273f{40}600054167fa619486e0{56}60003514156050578060005260206000f35b3660008037600080366000845af43d6000803e60008114156070573d6000fd5b3d6000f3fe/,
  /^0x608060405273f{40}600054163660008037600080366000845af43d6000803e6000811415603d573d6000fd5b3d6000f3fe/,
]
/** Code of minimal proxies: EIP-1167, its shorter form, and ERC-7511. */
const minimal = [
  /^0x363d3d373d3d3d363d73([\da-f]{40})5af43d82803e903d91602b57fd5bf3$/,
  /^0x3d3d3d3d363d3d37363d73([\da-f]{40})5af43d3d93803e602a57fd5bf3$/,
  /^0x365f5f375f5f365f73([\da-f]{40})5af43d5f5f3e5f3d91602a57fd5bf3$/,
]

export interface Proxies {
  /** The code behind each of these contracts that is a proxy, by address in lower case; none where no node can say it. */
  resolve(chainId: number, contracts: readonly string[]): Promise<Readonly<Record<string, string>>>
}

export function createProxies({ rpcUrls, limits }: { rpcUrls: RpcUrls; limits: Limits }): Proxies {
  const nodes = new Map<number, ChainRpc>()
  function nodeOf(chainId: number): ChainRpc | undefined {
    const urls = nodeUrlsOf(rpcUrls, chainId)
    if (urls.length === 0) return undefined
    const node = nodes.get(chainId) ?? createChainRpc({ what: 'The chain', urls, chainId, limits })
    nodes.set(chainId, node)
    return node
  }
  return {
    async resolve(chainId, contracts) {
      const node = nodeOf(chainId)
      if (!node || contracts.length === 0) return {}
      const until = node.deadline()
      const found = await Promise.all(
        contracts.map(async (contract) => {
          const address = contract.toLowerCase()
          const implementation = await implementationOf(node, address, until).catch(() => undefined)
          return implementation && implementation !== address ? [[address, implementation] as const] : []
        }),
      )
      return Object.fromEntries(found.flat())
    },
  }
}

async function implementationOf(node: ChainRpc, address: string, until: number): Promise<string | undefined> {
  const ask = async (method: string, params: unknown) => {
    const said = await node.ask(method, params, until)
    const text = 'result' in said && typeof said.result === 'string' ? said.result.toLowerCase() : ''
    return /^0x[\da-f]*$/.test(text) ? text : ''
  }
  const [code, slot] = await Promise.all([
    ask('eth_getCode', [address, 'latest']),
    ask('eth_getStorageAt', [address, IMPLEMENTATION_SLOT, 'latest']),
  ])
  for (const shape of minimal) {
    const [, clone] = shape.exec(code) ?? []
    if (clone) return `0x${clone}`
  }
  // An account without code has a storage that nobody reads.
  if (!/^0x[\da-f]/.test(code)) return undefined
  if (safes.some((shape) => shape.test(code)))
    return addressIn(await ask('eth_getStorageAt', [address, FIRST_SLOT, 'latest']))
  const implementation = addressIn(slot)
  if (implementation) return implementation
  // A slot with more in it than an address is no proxy's.
  if (!isEmpty(slot)) return undefined
  const beacon = addressIn(await ask('eth_getStorageAt', [address, BEACON_SLOT, 'latest']))
  return beacon && addressIn(await ask('eth_call', [{ to: beacon, data: IMPLEMENTATION }, 'latest']))
}

const isEmpty = (word: string) => /^0x0{64}$/.test(word)

/** The address that a word of 32 bytes holds, and nothing else in it. */
function addressIn(word: string): string | undefined {
  const [, found] = /^0x0{24}([\da-f]{40})$/.exec(word) ?? []
  return found && !/^0{40}$/.test(found) ? `0x${found}` : undefined
}
