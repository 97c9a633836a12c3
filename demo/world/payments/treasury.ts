import {
  type Address,
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  numberToHex,
  pad,
  parseAbi,
  parseUnits,
  publicActions,
  walletActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { solanaUsdc, usdcAddresses, usdcCode, usdcMinterSeed } from '../chains/usdc.ts'

/** What the stand-ins for sellers and bridges pay from. Its key is known to everybody, like anvil's. */
const treasuryKey: Hex = `0x${'7e'.repeat(32)}`
const erc20 = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function transferFrom(address from, address to, uint256 amount) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
])
const plenty = 10n ** 30n

/** What is sent, and where to: `chain` is CAIP-2, an amount is in the smallest units. */
export interface Delivery {
  chain: string
  symbol: string
  address: string
  amount: bigint
}
export interface Treasury {
  readonly address: Address
  /** Whether it can pay that out. */
  has(chain: string, symbol: string): boolean
  /** Sends it, and resolves with the transaction's hash when it is on the chain. */
  deliver(delivery: Delivery): Promise<string>
  /** Collects a token that its owner has allowed to be collected. */
  collect(chain: string, owner: string, amount: bigint): Promise<string>
}

export const decimalsOf = (chain: string, symbol: string): number =>
  symbol === 'USDC' ? 6 : chain.startsWith('solana:') ? 9 : 18
export const unitsOf = (chain: string, symbol: string, amount: string): bigint =>
  parseUnits(amount, decimalsOf(chain, symbol))

/** Money on the demo's chains. @param options.chains nodes by chain id */
export function createTreasury({
  chains,
  solanaRpcUrl,
}: {
  chains: Readonly<Record<string, string>>
  solanaRpcUrl?: string | undefined
}): Treasury {
  const account = privateKeyToAccount(treasuryKey)
  const clients = new Map<number, ReturnType<typeof open>>()
  /** One at a time on a chain, so that each has a number of its own. */
  const queues = new Map<string, Promise<unknown>>()

  function open(chainId: number) {
    const client = createTestClient({
      mode: 'anvil',
      account,
      transport: http(chains[chainId]),
      pollingInterval: 50,
    })
      .extend(publicActions)
      .extend(walletActions)
    const token = usdcAddresses[chainId]
    const ready = (async () => {
      await client.setBalance({ address: account.address, value: plenty })
      if (!token) return
      // A chain that was stored by an older version has its token.
      if ((await client.getCode({ address: token })) !== usdcCode)
        await client.setCode({ address: token, bytecode: usdcCode })
      const slot = pad(account.address)
      await client.setStorageAt({ address: token, index: slot, value: numberToHex(plenty, { size: 32 }) })
    })()
    ready.catch(() => {})
    return { client, token, ready }
  }
  const chainOf = (chain: string) => {
    const chainId = Number(chain.split(':')[1])
    const known = clients.get(chainId) ?? open(chainId)
    clients.set(chainId, known)
    return known
  }
  function inTurn<T>(chain: string, work: () => Promise<T>): Promise<T> {
    const next = (queues.get(chain) ?? Promise.resolve()).then(work, work)
    queues.set(
      chain,
      next.catch(() => {}),
    )
    return next
  }
  async function send(chain: string, call: (token: Address) => { to: Address; value?: bigint; data?: Hex }) {
    const { client, token, ready } = chainOf(chain)
    await ready
    const hash = await client.sendTransaction({ chain: null, ...call(token ?? account.address) })
    const { status } = await client.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error('The transfer has failed')
    return hash
  }
  async function solana<T = string>(method: string, params: readonly unknown[]): Promise<T> {
    const response = await fetch(solanaRpcUrl ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await response.json()) as { result?: T; error?: { message: string } }
    if (result === undefined) throw new Error(error?.message ?? 'No answer')
    return result
  }

  async function mintUsdc(owner: string, amount: bigint): Promise<string> {
    // The libraries are large, and most never buy this.
    const [kit, token] = await Promise.all([import('@solana/kit'), import('@solana-program/token')])
    const minter = await kit.createKeyPairSignerFromPrivateKeyBytes(usdcMinterSeed)
    await solana('requestAirdrop', [minter.address, 10_000_000])
    const mint = kit.address(solanaUsdc)
    const [account] = await token.findAssociatedTokenPda({
      owner: kit.address(owner),
      mint,
      tokenProgram: token.TOKEN_PROGRAM_ADDRESS,
    })
    const { value } = await solana<{ value: { blockhash: string; lastValidBlockHeight: number } }>(
      'getLatestBlockhash',
      [],
    )
    const message = kit.pipe(
      kit.createTransactionMessage({ version: 0 }),
      (built) => kit.setTransactionMessageFeePayerSigner(minter, built),
      (built) =>
        kit.setTransactionMessageLifetimeUsingBlockhash(
          {
            blockhash: kit.blockhash(value.blockhash),
            lastValidBlockHeight: BigInt(value.lastValidBlockHeight),
          },
          built,
        ),
      (built) =>
        kit.appendTransactionMessageInstructions(
          [
            token.getCreateAssociatedTokenIdempotentInstruction({
              payer: minter,
              ata: account,
              owner: kit.address(owner),
              mint,
            }),
            token.getMintToInstruction({ mint, token: account, mintAuthority: minter, amount }),
          ],
          built,
        ),
    )
    const signed = await kit.signTransactionMessageWithSigners(message)
    return solana('sendTransaction', [kit.getBase64EncodedWireTransaction(signed), { encoding: 'base64' }])
  }

  return {
    address: account.address,
    has(chain, symbol) {
      const [namespace, reference = ''] = chain.split(':')
      if (namespace === 'solana')
        return (
          reference === 'mainnet' && solanaRpcUrl !== undefined && (symbol === 'SOL' || symbol === 'USDC')
        )
      if (!Object.hasOwn(chains, reference)) return false
      return symbol === 'USDC'
        ? Object.hasOwn(usdcAddresses, reference)
        : ['ETH', 'POL', 'AVAX', 'CELO'].includes(symbol)
    },
    deliver({ chain, symbol, address, amount }) {
      return inTurn(chain, () => {
        if (chain.startsWith('solana:'))
          return symbol === 'USDC'
            ? mintUsdc(address, amount)
            : solana('requestAirdrop', [address, Number(amount)])
        const to = address as Address
        return send(chain, (token) =>
          symbol === 'USDC'
            ? {
                to: token,
                data: encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [to, amount] }),
              }
            : { to, value: amount },
        )
      })
    },
    collect(chain, owner, amount) {
      const args = [owner as Address, account.address, amount] as const
      const data = encodeFunctionData({ abi: erc20, functionName: 'transferFrom', args })
      return inTurn(chain, () => send(chain, (token) => ({ to: token, data })))
    },
  }
}
