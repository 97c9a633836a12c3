/** An operation of a smart account before a user in the vault: read out of its own bytes, and signed by a hash that the vault computes. */
import '../../support/quick-stretching.ts'
// Loaded beforehand, so that no test waits for what the vault loads lazily.
import '../../../../src/vault/approval/sign/user-operation/read.ts'
import '../../../../src/wallets/smart/accounts/coinbase-smart-wallet.ts'
import '../../../../src/wallets/smart/accounts/light-account.ts'
import {
  encodeFunctionData,
  hashMessage,
  parseAbi,
  recoverAddress,
  recoverTypedDataAddress,
  toHex,
} from 'viem'
import { describe, expect, test } from 'vitest'
import type { Sponsor } from '../../../../src/ethereum/sponsors.ts'
import { formatUserOperation } from '../../../../src/ethereum/user-operation.ts'
import { systemClock } from '../../../../src/lib/clock.ts'
import type { ApprovalRequests } from '../../../../src/protocol/frame/approval.ts'
import type { CallsPreview } from '../../../../src/signing/calls/preview.ts'
import { sign } from '../../../../src/vault/approval/sign/flow.ts'
import { createContext } from '../../../../src/vault/create-context.ts'
import type {
  SmartAccountCodec,
  SmartAccountKind,
  SmartCall,
} from '../../../../src/wallets/smart/account-codec.ts'
import { loadSmartAccountCodec, smartAccountKinds } from '../../../../src/wallets/smart/accounts/features.ts'
import { hashOperation } from '../../../../src/wallets/smart/accounts/signatures.ts'
import { approvalOf } from '../../support/approval.ts'
import { partsOf, settings } from '../../support/device.ts'
import { recoveryMethodOf, withRecoveryMethod } from '../../support/recovery-methods.ts'

type Hex = `0x${string}`
const to: Hex = `0x${'ab'.repeat(20)}`
const other: Hex = `0x${'cd'.repeat(20)}`
const abi = parseAbi(['function transfer(address to, uint256 amount)'])
const calls: readonly SmartCall[] = [
  { to, value: 100n, data: '0x' },
  { to: other, value: 0n, data: encodeFunctionData({ abi, args: [to, 5n] }) },
]

interface Change {
  readonly kind?: SmartAccountKind
  readonly operation?: object | ((codec: SmartAccountCodec, owner: Hex) => object)
  readonly account?: object
  readonly more?: object
  readonly answers?: readonly object[]
  readonly sponsors?: readonly Sponsor[]
}

/** An operation before a user of a strict app. `answers` are what the server says of the calls; without any it refuses. */
async function review({
  kind = 'coinbase_smart_wallet',
  operation = {},
  account = {},
  more = {},
  answers = [],
  sponsors = [],
}: Change = {}) {
  const { backend, device, token, address } = await withRecoveryMethod(recoveryMethodOf('automatic'))
  const codec = await loadSmartAccountCodec(kind)
  const owner = address as Hex
  const sender = codec.getAddress(owner)
  const asked: { address: string; request: { transaction: { from: string }; after?: readonly object[] } }[] =
    []
  const fetch: typeof backend.fetch = async (input, init) => {
    const { pathname } = new URL(String(input))
    if (!pathname.endsWith('/embedded_wallets/preview')) return backend.fetch(input, init)
    const body = JSON.parse(String(init?.body))
    asked.push(body)
    const found = answers[(body.request.after ?? []).length]
    return found
      ? Response.json(found)
      : Response.json({ error: 'no', code: 'not_supported' }, { status: 400 })
  }
  const strict = { ...settings, vault: 'strict', rawSigning: false, sponsors } as const
  const vault = createContext({ settings: strict, fetch, clock: systemClock, ...partsOf(device) })
  const raw = {
    sender,
    nonce: codec.nonceKey << 64n,
    callData: codec.encodeCalls(calls),
    callGasLimit: 100n,
    verificationGasLimit: 200n,
    preVerificationGas: 50n,
    maxFeePerGas: 10n,
    maxPriorityFeePerGas: 1n,
    signature: '0x',
    ...(typeof operation === 'function' ? operation(codec, owner) : operation),
  }
  const approval = approvalOf<'sign'>(vault, token, {
    kind: 'userOperation',
    root: { chainType: 'ethereum', address },
    walletIndex: 0,
    address,
    account: { kind, version: codec.version, address: sender, chainId: 1, ...account },
    operation: formatUserOperation(raw as never),
    ...more,
  } as ApprovalRequests['sign'])
  const done = sign(approval.cx)
  done.catch(() => {})
  const last = () => approval.seen.at(-1)?.props.preview as CallsPreview
  return { ...approval, asked, done, last, address: owner, sender, codec, raw }
}

/** An operation whose fee goes through a contract, in the form of its kind's EntryPoint. */
const through =
  (paymaster: string, more: object) =>
  ({ entryPoint }: SmartAccountCodec): object => ({
    ...more,
    ...(entryPoint.version === '0.6'
      ? { paymasterAndData: `${paymaster}${'00'.repeat(4)}` }
      : { paymaster, paymasterData: '0x00', paymasterVerificationGasLimit: 1n, paymasterPostOpGasLimit: 1n }),
  })

describe('an operation of a smart account in the vault', () => {
  test('its calls are displayed out of its own bytes, and its hash is what is signed', async () => {
    const { done, act, last, address, sender, codec, raw } = await review()
    await expect.poll(() => last()?.calls.length, { timeout: 10_000 }).toBe(2)
    expect(last()).toMatchObject({ wallet: sender, value: 100n, fee: 3_500n, total: 3_600n, isAtomic: true })
    expect(last().calls.map(({ actions }) => actions[0]?.kind)).toEqual(['transfer', 'token'])
    await act(['approve-calls', 'approve'])
    const { signed } = (await done) as { signed: Hex }
    const hash = hashOperation(codec, raw as never, 1)
    expect(await recoverAddress({ hash, signature: signed })).toBe(address)
  })

  test.each([
    [
      'light_account',
      (hash: Hex, signature: Hex) => recoverAddress({ hash: hashMessage({ raw: hash }), signature }),
    ],
    [
      'thirdweb',
      (hash: Hex, signature: Hex) => recoverAddress({ hash: hashMessage({ raw: hash }), signature }),
    ],
  ] as const)('of the kind %s is signed in the form that its contract checks', async (kind, recover) => {
    const { done, act, codec, raw, address } = await review({ kind })
    await act(['approve-calls', 'approve'])
    const { signed } = (await done) as { signed: Hex }
    expect(await recover(hashOperation(codec, raw as never, 1), signed)).toBe(address)
  })

  test('of a wallet’s own address with code is signed as typed data of the EntryPoint', async () => {
    const { done, act, codec, raw, address } = await review({ kind: 'simple_7702' })
    await act(['approve-calls', 'approve'])
    const { signed } = (await done) as { signed: Hex }
    const payload = codec.toOperationPayload(raw as never, 1) as unknown as { typedData: object }
    expect(await recoverTypedDataAddress({ ...payload.typedData, signature: signed } as never)).toBe(address)
  })

  test.each(smartAccountKinds)(
    'of the kind %s whose fee goes through a contract that the app doesn’t name: the cost is the user’s, in red',
    async (kind) => {
      const { done, act, last } = await review({
        kind,
        operation: through(other, { callGasLimit: 10n ** 6n }),
      })
      await expect.poll(() => last()?.sponsor?.toLowerCase(), { timeout: 10_000 }).toBe(other)
      const { fee = 0n, total, sponsorName, warnings } = last()
      expect(fee).toBeGreaterThanOrEqual(10n ** 7n)
      expect([total, sponsorName]).toEqual([100n + fee, undefined])
      expect(warnings).toContainEqual({
        code: 'charging-paymaster',
        severity: 'danger',
        spender: expect.stringMatching(new RegExp(other, 'i')),
      })
      await act(['approve-calls', 'cancel'])
      await expect(done).rejects.toThrow()
    },
  )

  test.each(smartAccountKinds)(
    'of the kind %s that can cost a fortune is refused, whoever is said to pay it',
    async (kind) => {
      const cost = { callGasLimit: 10n ** 12n, maxFeePerGas: 10n ** 12n }
      for (const sponsors of [[], [{ chainId: 1, address: other, name: 'Gas Tank' }]]) {
        const { done, seen } = await review({ kind, sponsors, operation: through(other, cost) })
        await expect(done).rejects.toThrow('out of all proportion')
        expect(seen).toEqual([])
      }
    },
  )

  test('whose paymaster is the zero address is paid by the account, as the EntryPoint has it', async () => {
    const { done, act, last } = await review({ operation: through(`0x${'00'.repeat(20)}`, {}) })
    await expect.poll(() => last()?.fee, { timeout: 10_000 }).toBeGreaterThan(0n)
    expect([last().sponsor, last().sponsorName]).toEqual([undefined, undefined])
    await act(['approve-calls', 'cancel'])
    await expect(done).rejects.toThrow()
  })

  test.each([
    ['by the app’s server is named beside its address', { chainId: 1, address: other }, 'Gas Tank'],
    ['is another contract: it has no name', { chainId: 1, address: to }, undefined],
    ['is that of another chain: it has no name', { chainId: 8453, address: other }, undefined],
  ])('a sponsor that %s', async (_, sponsor, name) => {
    const { done, act, last } = await review({
      operation: { paymasterAndData: `${other}${'00'.repeat(4)}` },
      sponsors: [{ ...sponsor, name: 'Gas Tank' }],
    })
    await expect.poll(() => last()?.sponsor?.toLowerCase(), { timeout: 10_000 }).toBe(other)
    expect(last().sponsorName).toBe(name)
    expect([last().fee === undefined, last().total === 100n]).toEqual([
      name !== undefined,
      name !== undefined,
    ])
    const isWarned = last().warnings.some(({ code }) => code === 'charging-paymaster')
    expect(isWarned).toBe(name === undefined)
    await act(['approve-calls', 'cancel'])
    await expect(done).rejects.toThrow()
  })

  test('the first operation says that it creates the account', async () => {
    const { done, act, last } = await review({
      operation: (codec: SmartAccountCodec, owner: Hex) => {
        const { factory, factoryData } = codec.getFactoryArgs(owner) ?? {}
        return { initCode: `${factory}${factoryData?.slice(2)}`.toLowerCase() }
      },
    })
    await expect.poll(() => last()?.deploysAccount, { timeout: 10_000 }).toBe(true)
    await act(['approve-calls', 'cancel'])
    await expect(done).rejects.toThrow()
  })

  test('the vault’s server is asked about each call from the account, after those before it', async () => {
    const answer = {
      version: 1,
      chain: 'eip155:1',
      tokens: { [other]: { symbol: 'TST', decimals: 2 } },
      balance: '1000',
      at: 1,
      simulation: { outcome: 'simulated', status: 'failed', reason: { kind: 'reverted', message: 'no' } },
    }
    const { done, act, last, asked, sender } = await review({ answers: [answer, answer] })
    await expect.poll(() => last()?.balance, { timeout: 10_000 }).toBe(1_000n)
    expect(
      asked
        .map(({ address, request }) => [address, request.transaction.from, request.after?.length ?? 0])
        .sort(),
    ).toEqual([
      [sender, sender, 0],
      [sender, sender, 1],
    ])
    expect(last().warnings.map(({ code }) => code)).toEqual(['reverts', 'reverts'])
    await act(['approve-calls', 'cancel'])
    await expect(done).rejects.toThrow()
  })

  test.each([
    ['no node has said it', {}, 'unread'],
    [
      'no node has said how much',
      { paymaster_allowances: [{ token: other, amount: null, is_unlimited: false }] },
      [{ token: other, isUnlimited: false, asset: { symbol: 'TST', decimals: 2 } }],
    ],
    ['it is nothing', { paymaster_allowances: [] }, []],
  ] as const)(
    'what a paymaster may take already is told from what is unknown: %s',
    async (_, said, shown) => {
      const answer = {
        ...{ version: 1, chain: 'eip155:1', balance: '1000', at: 1 },
        tokens: { [other]: { symbol: 'TST', decimals: 2 } },
        ...said,
      }
      const { done, act, last } = await review({ operation: through(other, {}), answers: [answer, answer] })
      await expect.poll(() => last()?.balance, { timeout: 10_000 }).toBe(1_000n)
      expect(last().sponsorMayTake).toEqual(shown)
      await act(['approve-calls', 'cancel'])
      await expect(done).rejects.toThrow()
    },
  )

  test.each([
    ['that the app doesn’t name is asked for, and displayed', [], true],
    ['that the app names is not asked for', [{ chainId: 1, address: other, name: 'Gas Tank' }], false],
  ] as const)('what a paymaster may take already %s', async (_, sponsors, isAsked) => {
    const standing = (token: string, amount: bigint, isAll = false) => ({
      token,
      amount: String(amount),
      is_unlimited: isAll,
    })
    const answer = {
      version: 1,
      chain: 'eip155:1',
      tokens: { [other]: { symbol: 'TST', decimals: 2 } },
      balance: '1000',
      at: 1,
      ...(isAsked && { paymaster_allowances: [standing(other, 500n), standing(to, 2n ** 256n - 1n, true)] }),
    }
    const { done, act, last, asked } = await review({
      operation: through(other, {}),
      answers: [answer, answer],
      sponsors,
    })
    await expect.poll(() => last()?.balance, { timeout: 10_000 }).toBe(1_000n)
    const named = asked.map(({ request }) => (request as { paymaster?: string }).paymaster?.toLowerCase())
    expect(named).toEqual(isAsked ? [other, other] : [undefined, undefined])
    expect(last().sponsorMayTake).toEqual(
      isAsked
        ? [
            { token: other, amount: 500n, isUnlimited: false, asset: { symbol: 'TST', decimals: 2 } },
            { token: to, amount: 2n ** 256n - 1n, isUnlimited: true },
          ]
        : undefined,
    )
    await act(['approve-calls', 'cancel'])
    await expect(done).rejects.toThrow()
  })

  test('what is still prepared can’t be approved', async () => {
    const { seen, done, act } = await review({ more: { state: 'preparing' } })
    await expect.poll(() => seen.at(-1)?.props, { timeout: 10_000 }).toMatchObject({ preparing: true })
    await act(['approve-calls', 'cancel'])
    await expect(done).rejects.toThrow()
  })
})

describe('a message that a smart account vouches for', () => {
  test('is displayed as it is, and what is signed is the account’s form of it', async () => {
    const message = 'Hello from the account'
    const { seen, act, done, codec, sender, address } = await review({
      more: { kind: 'message', message: toHex(message) },
    })
    await expect
      .poll(() => seen.at(-1)?.props, { timeout: 10_000 })
      .toMatchObject({ message, address: sender })
    await act(['sign-message', 'sign'])
    const { signed } = (await done) as { signed: Hex }
    const content = { type: 'message', raw: toHex(message) } as const
    const payload = codec.toContentPayload(content, { address: sender, chainId: 1 })
    const { typedData } = payload as unknown as { typedData: object }
    expect(await recoverTypedDataAddress({ ...typedData, signature: signed } as never)).toBe(address)
  })

  test('of another owner is refused before anybody reads it', async () => {
    const { done, seen } = await review({
      account: { address: other },
      more: { kind: 'message', message: toHex('Hello') },
    })
    await expect(done).rejects.toThrow()
    expect(seen).toEqual([])
  })
})

describe('an operation that is refused before anybody reads it', () => {
  test.each<[string, Change]>([
    ['an account of another owner', { account: { address: other } }],
    ['an account that the vault doesn’t know', { account: { kind: 'safer_than_safe' } }],
    ['another account’s operation', { operation: { sender: other } }],
    ['call data that is no list of calls', { operation: { callData: `0x${'12'.repeat(40)}` } }],
    ['the deployment of something else', { operation: { initCode: `${other}1234` } }],
    ['a nonce of another kind', { operation: { nonce: 1n << 64n } }],
    ['a field that the EntryPoint doesn’t have', { operation: { authorization: '0x' } }],
    ['a factory in the form of another EntryPoint', { operation: { factory: other } }],
    ['a fee that nobody means', { operation: { maxFeePerGas: 10n ** 18n } }],
  ])('%s', async (_, change) => {
    const { done, seen } = await review(change)
    await expect(done).rejects.toThrow()
    expect(seen).toEqual([])
  })
})
