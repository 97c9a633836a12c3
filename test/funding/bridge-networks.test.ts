/** Assets that wallets can pay with, networks that are bridged, and checks of the bridge's transactions on Solana. */
import { sha256 } from '@noble/hashes/sha2.js'
import { base16, base58 } from '@scure/base'
import { describe, expect, test } from 'vitest'
import { type HostConfig, resolveConfig } from '../../src/app/config.ts'
import { assertSolanaMatches, depositsOn } from '../../src/funding/bridge/check.ts'
import { bridgeAssetOf, isTestNetwork, sourcesFor } from '../../src/funding/bridge/networks.ts'
import type { FundingTarget } from '../../src/funding/target.ts'
import { bridgeDeposits } from '../../src/lib/bridge-deposits.ts'
import { usdcOn } from '../../src/lib/usdc.ts'
import { decodeActions } from '../../src/solana/decode.ts'
import { instructionsRequest, type NamedInstruction } from '../../src/solana/instructions.ts'
import { TOKEN_PROGRAM } from '../../src/solana/programs/token.ts'
import type { Simulation } from '../../src/solana/simulate.ts'
import { scriptedNodes, solanaKeys } from '../support/solana-node.ts'
import { baseTarget } from './support.ts'

const configOf = (host: HostConfig = {}) =>
  resolveConfig(host, { name: 'Harbor', loginMethods: new Set() } as never)
const solanaTarget: FundingTarget = {
  ...baseTarget,
  address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK',
  chain: 'solana:mainnet',
  network: 'Solana',
  chainType: 'solana',
  symbol: 'SOL',
  decimals: 9,
}
const names = (
  target: FundingTarget,
  chainType: 'ethereum' | 'solana',
  hasBridge = true,
  host?: HostConfig,
) => sourcesFor(configOf(host), target, chainType, hasBridge).map(({ chain, symbol }) => `${chain} ${symbol}`)

describe('networks', () => {
  test('bridge networks: USDC is known on the twelve networks of the specification', () => {
    for (const id of [1, 11155111, 10, 11155420, 137, 80002, 8453, 84532, 43114, 43113, 42161, 421614])
      expect(usdcOn(`eip155:${id}`)).toMatch(/^0x[\da-fA-F]{40}$/)
  })

  test('bridge networks: without a bridge a wallet pays with the asset itself alone', () => {
    expect(names(baseTarget, 'ethereum', false)).toEqual(['eip155:8453 ETH'])
    expect(names(baseTarget, 'solana', false)).toEqual([])
  })

  test('bridge networks: an app that names none has main networks with USDC, and no test networks', () => {
    const found = names(baseTarget, 'ethereum')
    expect(found[0]).toBe('eip155:8453 ETH')
    expect(found).toContain('eip155:1 USDC')
    expect(found).toContain('eip155:137 POL')
    expect(found.some((each) => /11155111|84532|7777777/.test(each))).toBe(false)
  })

  test('bridge networks: test networks are bridged among themselves', () => {
    const target = { ...baseTarget, chain: 'eip155:84532', network: 'Base Sepolia' }
    const found = names(target, 'ethereum')
    expect(found).toContain('eip155:11155111 ETH')
    expect(found).not.toContain('eip155:1 ETH')
    expect(names(target, 'solana')).toEqual([])
  })

  test('bridge networks: SOL and USDC of Solana pay on Ethereum’s networks, and the other way round', () => {
    expect(names(baseTarget, 'solana')).toEqual(['solana:mainnet SOL', 'solana:mainnet USDC'])
    expect(names(solanaTarget, 'ethereum')).toContain('eip155:8453 ETH')
  })

  test('bridge networks: on Solana itself SOL pays for USDC, and USDC for SOL', () => {
    const usdc = usdcOn('solana:mainnet')
    const usdcTarget = { ...solanaTarget, asset: 'USDC', token: usdc, symbol: 'USDC', decimals: 6 } as const
    expect(names(solanaTarget, 'solana')).toEqual(['solana:mainnet SOL', 'solana:mainnet USDC'])
    expect(names(usdcTarget, 'solana')).toEqual(['solana:mainnet USDC', 'solana:mainnet SOL'])
    expect(names(solanaTarget, 'solana', false)).toEqual(['solana:mainnet SOL'])
  })

  test('bridge networks: test networks of Solana are not bridged', () => {
    const host = { solanaClusters: [{ name: 'devnet', rpcUrl: 'https://node.example' }] }
    const target = { ...solanaTarget, chain: 'solana:devnet' }
    expect(isTestNetwork('solana:devnet')).toBe(true)
    expect(bridgeAssetOf(target)).toBeUndefined()
    expect(names(target, 'ethereum', true, host)).toEqual([])
    expect(names(target, 'solana', true, host)).toEqual(['solana:devnet SOL'])
  })

  test('bridge networks: coins have the names that the bridge gives them', () => {
    expect(bridgeAssetOf({ chain: 'eip155:8453' })).toEqual({ chainId: 8453, address: `0x${'0'.repeat(40)}` })
    expect(bridgeAssetOf({ chain: 'solana:mainnet' })).toEqual({
      chainId: 792703809,
      address: '1'.repeat(32),
    })
  })
})

describe('what a bridge has signed on Solana', () => {
  const [payer = '', friend = '', stranger = ''] = solanaKeys.map((key) => key.publicKey.toBase58())
  const SYSTEM = '1'.repeat(32)
  function transfer(lamports: bigint, from = payer): NamedInstruction {
    const data = new Uint8Array(12)
    const view = new DataView(data.buffer)
    view.setUint32(0, 2, true)
    view.setBigUint64(4, lamports, true)
    return {
      program: SYSTEM,
      accounts: [
        { address: from, signer: true, writable: true },
        { address: friend, signer: false, writable: true },
      ],
      data,
    }
  }
  const program = '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2'
  const called = (name: string, to = program): NamedInstruction => ({
    program: to,
    accounts: [{ address: payer, signer: true, writable: true }],
    data: Uint8Array.from([...sha256(new TextEncoder().encode(`global:${name}`)).subarray(0, 8), 1, 2, 3]),
  })
  const foreign = called('deposit_native')
  const assign: NamedInstruction = {
    program: SYSTEM,
    accounts: [{ address: payer, signer: true, writable: true }],
    data: Uint8Array.from([1, 0, 0, 0, ...base58.decode(stranger)]),
  }
  const done = (out: readonly { mint: string | undefined; amount: bigint }[], allowances: object[] = []) =>
    ({ status: 'done', changes: { out, in: [], allowances } }) as unknown as Simulation
  const unavailable: Simulation = { status: 'unavailable', reason: 'method', at: 0 }
  async function check(
    instructions: readonly NamedInstruction[],
    simulation: Simulation,
    { token, most = 1_000n }: { token?: string; most?: bigint } = {},
  ) {
    const { rpc } = scriptedNodes({})
    const { transaction } = await instructionsRequest(rpc, { wallet: payer, instructions, lookupTables: [] })
    const { message } = transaction
    const prepared = { wallet: payer, message, actions: decodeActions(message), rents: new Map() }
    const deposits = depositsOn(bridgeDeposits, 'solana:mainnet')
    return assertSolanaMatches(prepared, simulation, { token, most, deposits })
  }

  test('bridge on Solana: a transfer of the amount is taken after a run that takes no more', async () => {
    await check([transfer(1_000n)], done([{ mint: undefined, amount: 1_000n }]))
  })

  test('bridge on Solana: a deposit with Relay’s program is taken after a run that takes no more', async () => {
    for (const name of ['deposit_native', 'deposit_token'])
      await check([called(name)], done([{ mint: undefined, amount: 1_000n }]))
    // As transactions of the bridge have it.
    expect(base16.encode(foreign.data.subarray(0, 8)).toLowerCase()).toBe('0d9e0ddf5fd51c06')
  })

  test.each<[string, readonly NamedInstruction[], Simulation, string, string?]>([
    ['more than the amount', [transfer(1_001n)], unavailable, 'value of a step'],
    ['the amount twice', [transfer(600n), transfer(600n)], unavailable, 'value of a step'],
    ['lamports beside a token', [transfer(1n)], unavailable, 'value of a step', friend],
    ['a program that nobody has run', [foreign], unavailable, 'no trial run'],
    ['a transfer that nobody has run', [transfer(1n)], unavailable, 'no trial run'],
    ['a program that isn’t listed', [called('deposit_native', stranger)], done([]), 'program of a step'],
    ['another instruction of a listed program', [called('set_owner')], done([]), 'function of a step'],
    [
      'a listed program without an instruction',
      [{ ...foreign, data: new Uint8Array() }],
      done([]),
      'function of a step',
    ],
    [
      'a part of an instruction’s name',
      [{ ...foreign, data: foreign.data.subarray(0, 7) }],
      done([]),
      'function of a step',
    ],
    [
      'an instruction of the token program that can’t be read',
      [called('deposit_native', TOKEN_PROGRAM)],
      done([]),
      'program of a step',
    ],
    ['a program that takes more', [foreign], done([{ mint: undefined, amount: 1_001n }]), 'amount of a step'],
    ['a program that takes a token', [foreign], done([{ mint: friend, amount: 1n }]), 'amount of a step'],
    ['power over an account', [foreign], done([], [{ kind: 'delegate' }]), 'allowance of a step'],
    ['the account itself', [assign], done([]), 'action of a step'],
  ])('bridge on Solana: %s is refused', async (_, instructions, simulation, details, token) => {
    await expect(check(instructions, simulation, token === undefined ? {} : { token })).rejects.toMatchObject(
      {
        code: 'provider_refused',
        details,
      },
    )
  })

  test('bridge on Solana: an account that no lookup table names is refused, whatever a run says', async () => {
    const { rpc } = scriptedNodes({})
    const request = { wallet: payer, instructions: [transfer(1n)], lookupTables: [] }
    const { message } = (await instructionsRequest(rpc, request)).transaction
    const [first, ...others] = message.accounts
    if (!first) throw new Error('There is no account')
    const accounts = [first, ...others, { ...first, address: 'table 0', isResolved: false }]
    const prepared = { wallet: payer, message: { ...message, accounts }, actions: [], rents: new Map() }
    expect(() =>
      assertSolanaMatches(prepared, done([]), { token: undefined, most: 1n, deposits: bridgeDeposits }),
    ).toThrow(expect.objectContaining({ details: 'account of a step' }))
  })

  const close = (to: string): NamedInstruction => ({
    program: TOKEN_PROGRAM,
    accounts: [
      { address: usdcOn('solana:mainnet') ?? '', signer: false, writable: true },
      { address: to, signer: false, writable: true },
      { address: payer, signer: true, writable: false },
    ],
    data: Uint8Array.of(9),
  })

  test('bridge on Solana: wrapped SOL that is left may come back to the wallet, and to no other', async () => {
    await check([foreign, close(payer)], done([{ mint: undefined, amount: 1_000n }]))
    await expect(check([foreign, close(friend)], done([]))).rejects.toMatchObject({
      code: 'provider_refused',
      details: 'action of a step',
    })
  })

  test('bridge on Solana: instructions that another key has to sign make no request', async () => {
    await expect(check([transfer(1n, friend)], unavailable)).rejects.toThrow('signed by another key')
  })

  test('bridge on Solana: a lookup table that does not exist makes no request', async () => {
    const { rpc } = scriptedNodes({})
    await expect(
      instructionsRequest(rpc, { wallet: payer, instructions: [transfer(1n)], lookupTables: [friend] }),
    ).rejects.toThrow('lookup table')
  })
})
