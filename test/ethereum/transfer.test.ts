/** Transfers of the form: their bytes, the maximum by each fee model, and what is at the recipient's address. */
import { encodeFunctionData, erc20Abi } from 'viem'
import { encodeAbiParameters } from 'viem/utils'
import { describe, expect, test } from 'vitest'
import { createNode } from '../../src/ethereum/rpc.ts'
import { erc20Selectors } from '../../src/ethereum/tokens.ts'
import { inspectRecipient, quoteMaximum, transferRequest } from '../../src/ethereum/transfer.ts'
import { fakeNode } from '../support/chain-node.ts'
import { testClock } from '../support/clock.ts'

const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const oracle = '0x420000000000000000000000000000000000000F'
const gwei = 10n ** 9n
const quantity = (value: bigint) => `0x${value.toString(16)}`

function nodeOf(answers: Parameters<typeof fakeNode>[0] = {}) {
  const fake = fakeNode(answers)
  return { fake, node: createNode({ url: 'https://node.example', fetch: fake.fetch, clock: testClock() }) }
}

describe('transfer request', () => {
  test('transfer: a coin goes to the recipient as the value, without data', () => {
    expect(transferRequest({ chainId: 1, from, to, amount: 5n })).toEqual({
      chainId: 1,
      from,
      to,
      value: 5n,
      data: '0x',
    })
  })

  test('transfer: a token is the call of its contract that viem writes', () => {
    const amount = 1_304_530_000n
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
    expect(transferRequest({ chainId: 1, from, to, amount, token })).toEqual({
      chainId: 1,
      from,
      to: token,
      value: 0n,
      data,
    })
  })
})

describe('maximum', () => {
  const balance = 10n ** 18n

  test('maximum: the balance less the gas limit times the highest fee, which the request then has', async () => {
    const { node } = nodeOf({ eth_getBalance: quantity(balance) })
    const { amount, request } = await quoteMaximum(node, { chainId: 1, from, to })
    const { maxFeePerGas = 0n, gasLimit = 0n } = request
    expect(gasLimit).toBe(21_000n)
    expect(maxFeePerGas).toBeGreaterThan(gwei)
    expect(amount).toBe(balance - gasLimit * maxFeePerGas)
    expect(request.value).toBe(amount)
  })

  test('maximum: a chain without a base fee keeps its gas price', async () => {
    const { node } = nodeOf({
      eth_getBalance: quantity(balance),
      eth_getBlockByNumber: { gasLimit: '0x1c9c380' },
    })
    const { amount, request } = await quoteMaximum(node, { chainId: 1, from, to })
    expect(request.gasPrice).toBe(2n * gwei)
    expect(amount).toBe(balance - 21_000n * 2n * gwei)
  })

  test('maximum: on an OP-stack chain the layer-1 fee stays as well, that of the transaction with this amount', async () => {
    // The fee depends on the bytes: each zero byte is cheaper than the others.
    const layerOne = (data: string) => BigInt((data.match(/(?:[1-9a-f].|.[1-9a-f])/g) ?? []).length) * gwei
    const operator = 777n
    const { node, fake } = nodeOf({
      eth_chainId: '0x2105',
      eth_getBalance: quantity(balance),
      eth_call: ([call]) => {
        const { to: asked, data } = call as { to: string; data: string }
        expect(asked).toBe(oracle)
        if (data.startsWith('0x275aedd2')) {
          const gas = BigInt(`0x${data.slice(10)}`)
          return { result: `0x${(operator + gas * operator).toString(16).padStart(64, '0')}` }
        }
        return { result: `0x${layerOne(data).toString(16).padStart(64, '0')}` }
      },
    })
    const { amount, request } = await quoteMaximum(
      node,
      { chainId: 8453, from, to },
      { gasPriceOracle: oracle },
    )
    const { maxFeePerGas = 0n, gasLimit = 0n } = request
    const isAboutData = ({ params }: { params: readonly unknown[] }) =>
      JSON.stringify(params).includes('0x49948e0e')
    const last = fake.asked.filter(({ method }) => method === 'eth_call').findLast(isAboutData)
    const [call] = last?.params ?? []
    const fee = layerOne((call as { data: string }).data)
    expect(amount).toBeGreaterThan(0n)
    // Never more than there is, and within a byte's fee of all of it.
    const left = balance - gasLimit * maxFeePerGas - fee - operator * (gasLimit + 1n) - amount
    expect(left).toBeGreaterThanOrEqual(0n)
    expect(left).toBeLessThan(40n * gwei)
  })

  test('maximum: a balance below the fee leaves nothing to send', async () => {
    const { node } = nodeOf({ eth_getBalance: '0x1' })
    expect((await quoteMaximum(node, { chainId: 1, from, to })).amount).toBe(0n)
  })

  test('maximum: a node of another chain is not believed', async () => {
    const { node } = nodeOf({ eth_chainId: '0x5' })
    await expect(quoteMaximum(node, { chainId: 1, from, to })).rejects.toThrow(/chain 1/)
  })
})

describe('recipient', () => {
  const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
  const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value])

  test('recipient: an address without code, or with the code of a delegation, is an account', async () => {
    for (const code of ['0x', `0xef0100${'11'.repeat(20)}`]) {
      const { node } = nodeOf({ eth_getCode: code })
      expect(await inspectRecipient(node, { chainId: 1, to })).toEqual({ isContract: false })
    }
  })

  test('recipient: the contract of any token is refused', async () => {
    const answers: Record<string, string> = {
      [erc20Selectors.name]: text('USD Coin'),
      [erc20Selectors.symbol]: text('USDC'),
      [erc20Selectors.decimals]: word(6n),
    }
    const { node } = nodeOf({
      eth_getCode: '0x6001',
      eth_call: ([call]) => ({ result: answers[(call as { data: string }).data.slice(0, 10)] ?? '0x' }),
    })
    expect(await inspectRecipient(node, { chainId: 1, to: token })).toEqual({ problem: 'token-contract' })
  })

  test('recipient: any other contract is said to be one', async () => {
    const { node } = nodeOf({
      eth_getCode: '0x6001',
      eth_call: () => ({ error: { code: 3, message: 'execution reverted' } }),
    })
    expect(await inspectRecipient(node, { chainId: 1, to })).toEqual({ isContract: true })
  })
})
