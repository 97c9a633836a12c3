import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createPublicClient,
  createWalletClient,
  http,
  isErc6492Signature,
  pad,
  parseAbi,
  parseEther,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { estimateL1Fee } from 'viem/op-stack'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Anvil, NoAnvil, startAnvil } from '../../demo/world/chains/anvil.ts'
import { counterfactualWallet, deployContractWallet } from '../../demo/world/chains/contract-wallets.ts'
import {
  gasPriceOracleAddress,
  placeGasPriceOracle,
  weiPerByte,
} from '../../demo/world/chains/gas-price-oracle.ts'
import { anvilKeys } from '../../demo/world/wallet/accounts.ts'
import { prepareTransaction } from '../../src/ethereum/prepare-transaction.ts'
import { createNode } from '../../src/ethereum/rpc.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { freePort, startChain } from '../support/chains.ts'

let chain: Anvil
beforeAll(async () => {
  chain = await startChain(8453)
})
afterAll(() => chain.close())

const reader = () => createPublicClient({ transport: http(chain.url), pollingInterval: 20 })

describe('a chain', () => {
  it('has the id that it was given, and people with money', async () => {
    expect(await reader().getChainId()).toBe(8453)
    const account = privateKeyToAccount(anvilKeys[0])
    expect(await reader().getBalance(account)).toBeGreaterThan(parseEther('9000'))
  })

  it('says which port is taken', async () => {
    const port = Number(new URL(chain.url).port)
    await expect(startAnvil({ port, chainId: 8453 })).rejects.toThrow(`Port ${port}`)
    await expect(startAnvil({ port, chainId: 5 })).rejects.toThrow(`Port ${port}`)
  })

  it('says that there is no anvil where there is none', async () => {
    const port = await freePort()
    await expect(startAnvil({ port, chainId: 1, binary: '/nowhere/anvil' })).rejects.toThrow(NoAnvil)
    await expect(startAnvil({ port, chainId: 1, binary: 'no-such-anvil' })).rejects.toThrow(NoAnvil)
  })

  it('is the same one the next time', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-chain-'))
    const stateFile = join(folder, 'chain.json')
    const to = privateKeyToAccount(generatePrivateKey()).address
    const port = await freePort()
    const first = await startAnvil({ port, chainId: 1, stateFile })
    const account = privateKeyToAccount(anvilKeys[1])
    const writer = createWalletClient({ account, transport: http(first.url) })
    const hash = await writer.sendTransaction({ to, value: 7n, chain: null })
    const before = createPublicClient({ transport: http(first.url), pollingInterval: 20 })
    await before.waitForTransactionReceipt({ hash })
    await first.close()
    const second = await startAnvil({ port, chainId: 1, stateFile })
    expect(await createPublicClient({ transport: http(second.url) }).getBalance({ address: to })).toBe(7n)
    await second.close()
    await rm(folder, { recursive: true })
  })
})

describe('a wallet that is a contract', () => {
  const owner = privateKeyToAccount(anvilKeys[3])
  const message = 'Hello from a contract'

  it('says itself whose signature is good', async () => {
    const wallet = await deployContractWallet({ rpcUrl: chain.url, owner })
    const { address } = wallet
    const signature = await wallet.signMessage(message)
    expect(isErc6492Signature(signature)).toBe(false)
    expect(await reader().verifyMessage({ address, message, signature })).toBe(true)
    expect(await reader().verifyMessage({ address, message: 'Another', signature })).toBe(false)
    const strangers = await privateKeyToAccount(anvilKeys[2]).signMessage({ message })
    expect(await reader().verifyMessage({ address, message, signature: strangers })).toBe(false)
    expect(await reader().verifyMessage({ address, message, signature: '0x' })).toBe(false)
    expect(await reader().verifyMessage({ address, message, signature: `${signature}00` })).toBe(false)
    const empty = `0x${'00'.repeat(65)}` as const
    expect(await reader().verifyMessage({ address, message, signature: empty })).toBe(false)
  })

  it('is believed before it is there', async () => {
    const wallet = counterfactualWallet(owner, pad('0x02'))
    const { address } = wallet
    expect(await reader().getCode({ address })).toBeUndefined()
    const signature = await wallet.signMessage(message)
    expect(isErc6492Signature(signature)).toBe(true)
    expect(await reader().verifyMessage({ address, message, signature })).toBe(true)
    expect(await reader().verifyMessage({ address, message: 'Another', signature })).toBe(false)
    const other = counterfactualWallet(privateKeyToAccount(anvilKeys[2]), pad('0x02'))
    const strangers = await other.signMessage(message)
    expect(await reader().verifyMessage({ address, message, signature: strangers })).toBe(false)
  })

  it('is deployed at the expected address', async () => {
    const expected = counterfactualWallet(owner, pad('0x03')).address
    const first = await deployContractWallet({ rpcUrl: chain.url, owner, salt: pad('0x03') })
    const again = await deployContractWallet({ rpcUrl: chain.url, owner, salt: pad('0x03') })
    expect([first.address, again.address]).toEqual([expected, expected])
    expect(await reader().getCode({ address: expected })).toMatch(/^0x6004/)
  })
})

describe('the contract that names the fee for layer 1', () => {
  const from = privateKeyToAccount(anvilKeys[0]).address
  const prepare = () =>
    prepareTransaction(
      createNode({ url: chain.url, fetch: (url, init) => fetch(url, init), clock: systemClock }),
      { chainId: 8453, from, to: from, value: 1n, data: '0x' },
      { gasPriceOracle: gasPriceOracleAddress },
    )
  it('has its fee in what the kit prepares, and viem asks it as well', async () => {
    await expect(prepare()).rejects.toThrow('The node did not say a layer-1 fee')
    await placeGasPriceOracle(chain.url)
    const { layerOneFee, simulationError, model } = await prepare()
    expect([simulationError, model]).toEqual([undefined, 'op-stack'])
    expect(layerOneFee).toBeGreaterThan(100n * weiPerByte)
    const asked = createPublicClient({ chain: base, transport: http(chain.url) })
    const fee = await estimateL1Fee(asked, { account: from, to: from, value: 1n })
    expect(fee).toBeGreaterThan(50n * weiPerByte)
    expect(fee).toBeLessThanOrEqual(layerOneFee)
    const abi = parseAbi(['function getL1FeeUpperBound(uint256) view returns (uint256)'])
    const bound = {
      address: gasPriceOracleAddress,
      abi,
      functionName: 'getL1FeeUpperBound',
      args: [100n],
    } as const
    expect(await asked.readContract(bound)).toBe(168n * weiPerByte)
  })
})
