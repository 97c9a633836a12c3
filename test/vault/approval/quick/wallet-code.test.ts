/** Code for a wallet's own address (EIP-7702) before a user in the vault: what is displayed is signed, and nothing that a hostile page asks for. */
import '../../support/quick-stretching.ts'
import { parseTransaction as readRaw, recoverTransactionAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { recoverAuthorizationAddress } from 'viem/utils'
import { describe, expect, test } from 'vitest'
import { encodeBatch } from '../../../../src/ethereum/execute-batch.ts'
import { type Delegate, NO_CODE, simple7702Account } from '../../../../src/ethereum/wallet-code.ts'
import { systemClock } from '../../../../src/lib/clock.ts'
import type { ApprovalRequests } from '../../../../src/protocol/frame/approval.ts'
import { readApprovalRequest } from '../../../../src/protocol/frame/approval.ts'
import type { CallsPreview } from '../../../../src/signing/calls/preview.ts'
import { sign } from '../../../../src/vault/approval/sign/flow.ts'
import { createContext } from '../../../../src/vault/create-context.ts'
import { readSettings } from '../../../../src/vault/entry/settings.ts'
import { parseEthereumRequest } from '../../../../src/vault/signing/ethereum.ts'
import { approvalOf } from '../../support/approval.ts'
import { partsOf, settings } from '../../support/device.ts'
import { recoveryMethodOf, withRecoveryMethod } from '../../support/recovery-methods.ts'

const chainId = 8453
const other = '0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B'
const delegate = simple7702Account.address
/** Allowed on another chain alone, and without batches. */
const elsewhere: Delegate = { chainId: 10, address: other, name: 'Elsewhere', executesBatches: false }
const plain: Delegate = { address: other, name: 'Plain', executesBatches: false }
const entry = { address: delegate, chainId, nonce: 8 }

/** A request before a user, in a strict app whose server allows these contracts. `server` is the answer of its previews. */
async function review(
  content: (address: string) => object | Promise<object>,
  { delegates = [simple7702Account, elsewhere], server }: { delegates?: Delegate[]; server?: object } = {},
) {
  const { backend, device, token, address } = await withRecoveryMethod(recoveryMethodOf('automatic'))
  const fetch: typeof backend.fetch = async (input, init) => {
    const { pathname } = new URL(String(input))
    if (!pathname.endsWith('/embedded_wallets/preview')) return backend.fetch(input, init)
    return server
      ? Response.json(server)
      : Response.json({ error: 'no', code: 'not_supported' }, { status: 400 })
  }
  const strict = { ...settings, vault: 'strict', rawSigning: false, frameSpending: true, delegates } as const
  const vault = createContext({ settings: strict, fetch, clock: systemClock, ...partsOf(device) })
  const own = { root: { chainType: 'ethereum', address }, walletIndex: 0, address }
  const request = { ...own, ...(await content(address)) } as ApprovalRequests['sign']
  const approval = approvalOf<'sign'>(vault, token, request)
  const done = sign(approval.cx)
  done.catch(() => {})
  return { ...approval, done, address, request }
}

const transactionOf = (address: string, more: object = {}) => ({
  type: 4,
  from: address,
  to: address,
  value: '0x0',
  chainId,
  nonce: 7,
  gasLimit: '0x186a0',
  maxFeePerGas: '0x1',
  maxPriorityFeePerGas: '0x1',
  authorizationList: [entry],
  ...more,
})
const upgrade =
  (more: object = {}, beside: object = {}) =>
  (address: string) => ({
    kind: 'evmTransaction',
    action: 'send',
    transaction: transactionOf(address, more),
    ...beside,
  })
const authorization =
  (more: object = {}, beside: object = {}) =>
  () => ({
    kind: 'authorization',
    authorization: { ...entry, ...more },
    ...beside,
  })
const calls = [{ to: other, value: 5n, data: '0x' }] as const
const batch =
  (more: object = {}) =>
  (address: string) => ({
    kind: 'evmBatch',
    transaction: transactionOf(address, { data: encodeBatch(calls), ...more }),
  })
const answer = (change: object = {}) => ({
  version: 1,
  chain: `eip155:${chainId}`,
  prepared: { fee: '100000', missing: '0', is_underfunded: false, nonce: '8' },
  tokens: {},
  balance: '1000000',
  at: 1,
  ...change,
})

describe('code in the vault', () => {
  test('the review says whose code it is, and one press signs the authorization and its transaction', async () => {
    const { done, act, seen, risks, address } = await review(upgrade())
    await act(['approve-transaction', 'approve'])
    const { signed } = (await done) as { signed: `0x04${string}` }
    const preview = seen.at(-1)?.props.preview as CallsPreview
    expect(preview.actions).toEqual([{ kind: 'code', delegate, name: 'Simple7702Account' }])
    // Never in the frame, whatever else an app lets that approve.
    expect(risks).toEqual(['high'])
    expect(await recoverTransactionAddress({ serializedTransaction: signed })).toBe(address)
    const [own] = readRaw(signed).authorizationList ?? []
    if (!own) throw new Error('There is no authorization')
    expect(own).toMatchObject({ address: delegate.toLowerCase(), chainId, nonce: 8 })
    expect(await recoverAuthorizationAddress({ authorization: own })).toBe(address)
  })

  test('code is taken back in the same way', async () => {
    const taken = upgrade({ authorizationList: [{ ...entry, address: NO_CODE }] })
    const { done, act, seen } = await review(taken, { server: answer({ wallet_code: delegate }) })
    await expect.poll(() => (seen.at(-1)?.props.preview as CallsPreview)?.walletCode).toBeDefined()
    expect(seen.at(-1)?.props.preview).toMatchObject({
      actions: [{ kind: 'code' }],
      walletCode: { delegate, name: 'Simple7702Account' },
    })
    await act(['approve-transaction', 'approve'])
    expect(readRaw(((await done) as { signed: `0x04${string}` }).signed).type).toBe('eip7702')
  })

  test('an authorization by itself is displayed with its nonce, and one that waits is warned of', async () => {
    const { done, act, seen, address } = await review(authorization({ nonce: 90 }), { server: answer() })
    await expect.poll(() => seen.at(-1)?.props.warnings).toEqual([{ code: 'later-code', severity: 'danger' }])
    expect(seen.at(-1)?.props).toMatchObject({ network: 'Base', nonce: 90n, action: { delegate } })
    await act(['sign-authorization', 'sign'])
    const { signed } = (await done) as unknown as {
      signed: { r: `0x${string}`; s: `0x${string}`; yParity: 0 | 1 }
    }
    const made = { address: delegate, chainId, nonce: 90, ...signed }
    expect(await recoverAuthorizationAddress({ authorization: made })).toBe(address)
  })

  test('the calls of a batch are displayed one by one, with the code that comes with them', async () => {
    const { done, act, seen } = await review(batch())
    await expect.poll(() => seen.at(-1)?.screen).toBe('approve-calls')
    const preview = seen.at(-1)?.props.preview as CallsPreview
    expect(preview).toMatchObject({ isAtomic: true, value: 5n })
    expect(preview.calls.map(({ actions: [first] }) => first?.kind)).toEqual(['code', 'transfer'])
    await act(['approve-calls', 'approve'])
    expect(readRaw(((await done) as { signed: `0x04${string}` }).signed).data).toBe(encodeBatch(calls))
  })

  test('a batch of a wallet that has no code, or other code, is warned of', async () => {
    const older = { type: 2, authorizationList: undefined }
    const none = await review(batch(older), { server: answer({ wallet_code: null }) })
    const warned = ({ seen }: typeof none) =>
      (seen.at(-1)?.props.preview as CallsPreview)?.warnings.map(({ code }) => code)
    await expect.poll(() => warned(none)).toEqual(['may-fail'])
    const foreign = await review(batch(older), {
      server: answer({ wallet_code: NO_CODE.replace('00', '11') }),
    })
    await expect.poll(() => warned(foreign)).toContain('foreign-code')
    for (const { act, done } of [none, foreign]) {
      await act(['approve-calls', 'cancel'])
      await expect(done).rejects.toThrow()
    }
  })

  test('code that the app’s server does not know is warned of in a transfer', async () => {
    const transfer = upgrade({ type: 2, authorizationList: undefined, to: other, value: '0x5' })
    const { done, act, seen } = await review(transfer, { server: answer({ wallet_code: other }) })
    const warnings = () => (seen.at(-1)?.props.preview as CallsPreview)?.warnings
    await expect.poll(warnings).toEqual([{ code: 'foreign-code', severity: 'danger', address: other }])
    await act(['approve-transaction', 'cancel'])
    await expect(done).rejects.toThrow()
  })
})

describe('content that a wallet with code signs', () => {
  const contents = [
    ['a message', () => ({ kind: 'message', message: '0x6869', chainId }), 'sign-message'],
    [
      'typed data',
      () => ({
        kind: 'typedData',
        chainId,
        typedData: {
          domain: { name: 'Harbor' },
          types: { Berth: [{ name: 'number', type: 'uint256' }] },
          primaryType: 'Berth',
          message: { number: 7 },
        },
      }),
      'sign-typed-data',
    ],
  ] as const

  test.each(contents)(
    '%s: the vault’s own server says by which code a contract may check it',
    async (_, content, screen) => {
      for (const [code, walletCode] of [
        [delegate, { delegate, name: simple7702Account.name }],
        [other, { delegate: other }],
      ] as const) {
        const { done, act, seen } = await review(content, { server: answer({ wallet_code: code }) })
        await expect.poll(() => seen.at(-1)?.props.walletCode).toEqual(walletCode)
        await act([screen, 'sign'])
        expect(await done).toMatchObject({ signed: expect.stringMatching(/^0x/) })
      }
    },
  )

  test.each(contents)(
    '%s: nothing is said of a wallet without code, and nothing changes while it is read',
    async (_, content, screen) => {
      const { done, act, seen } = await review(content, { server: answer({ wallet_code: null }) })
      await act([screen, 'sign'])
      expect(await done).toMatchObject({ signed: expect.stringMatching(/^0x/) })
      expect(seen.map(({ props }) => props.walletCode)).toEqual([undefined])
    },
  )
})

const foreignKey = privateKeyToAccount(generatePrivateKey())
const swapped = delegate.toLowerCase().replace('e6ca', 'cae6')
const anyChain = { ...entry, chainId: 0 }
/** A page that has taken over the host's site asks for these, and a user approves whatever is displayed. */
const attacks: readonly (readonly [string, (address: string) => object | Promise<object>, Delegate[]?])[] = [
  ['an authorization for every chain', authorization({ chainId: 0 })],
  ['a transaction whose authorization is for every chain', upgrade({ authorizationList: [anyChain] })],
  ['an authorization of another contract', authorization({ address: other })],
  ['a transaction of another contract', upgrade({ authorizationList: [{ ...entry, address: other }] })],
  ['the contract with two swapped bytes', authorization({ address: swapped })],
  [
    'a transaction of the contract with two swapped bytes',
    upgrade({ authorizationList: [{ ...entry, address: swapped }] }),
  ],
  ['the contract with a wrong checksum', authorization({ address: delegate.replace('Cae', 'cae') })],
  ['a contract that is allowed on another chain alone', authorization({ address: other, chainId })],
  [
    'a transaction that replays an authorization of another chain',
    upgrade({ authorizationList: [{ ...entry, chainId: 1 }] }),
  ],
  [
    'a transaction whose authorization has its own nonce',
    upgrade({ authorizationList: [{ ...entry, nonce: 7 }] }),
  ],
  [
    'a transaction whose authorization has a later nonce',
    upgrade({ authorizationList: [{ ...entry, nonce: 9 }] }),
  ],
  [
    'a second authorization beside the own one',
    upgrade({ authorizationList: [entry, { ...entry, address: other }] }),
  ],
  ['the same authorization twice', upgrade({ authorizationList: [entry, entry] })],
  [
    'an authorization that another account has signed',
    async (address) => {
      const signed = await foreignKey.signAuthorization({ contractAddress: delegate, chainId, nonce: 0 })
      const { r, s, yParity } = signed
      return upgrade({ authorizationList: [{ ...entry, nonce: 0, r, s, yParity }] })(address)
    },
  ],
  [
    'a signature of nobody',
    authorization({ r: `0x${'11'.repeat(32)}`, s: `0x${'22'.repeat(32)}`, yParity: 0 }),
  ],
  ['an empty list', upgrade({ authorizationList: [] })],
  ['a list in an older type', upgrade({ type: 2 })],
  ['the new type without a list', upgrade({ authorizationList: undefined })],
  ['a contract that the page adds to the request', authorization({ address: other }, { delegates: [plain] })],
  [
    'a contract that the page adds to the transaction',
    upgrade({ delegates: [plain], authorizationList: [{ ...entry, address: other }] }),
  ],
  [
    'a contract that the page adds to the authorization',
    authorization({ address: other, delegates: [plain] }),
  ],
  ['two contracts in one authorization', authorization({ contractAddress: other })],
  ['a transaction that creates a contract', upgrade({ to: undefined, data: '0x6000' })],
  ['an authorization without a nonce', authorization({ nonce: undefined })],
  ['a nonce that programs round', authorization({ nonce: '0x20000000000000' })],
  ['any code in an app that allows none', authorization(), []],
  ['a transaction with code in an app that allows none', upgrade(), []],
  ['a batch that is none', batch({ data: '0x34fcd5be' })],
  ['a batch of another account', batch({ to: other })],
  [
    'a batch with code that carries out none',
    batch({ authorizationList: [{ ...entry, address: other }] }),
    [plain],
  ],
  ['a batch with trailing bytes', batch({ data: `${encodeBatch(calls)}00` })],
]

describe('a hostile page gets no code for a wallet', () => {
  test.each(attacks.map(([name, content, delegates]) => [name, content, delegates] as const))(
    '%s: nothing is displayed that could be approved, and nothing is signed',
    async (_, content, delegates) => {
      const { done, seen } = await review(content, delegates && { delegates })
      await expect(done).rejects.toThrow()
      expect(seen.filter(({ screen }) => /^(approve|sign)-/.test(screen))).toEqual([])
    },
  )

  test('a transaction of another wallet: the press signs nothing', async () => {
    const { done, act, errorsOn } = await review(upgrade({ from: foreignKey.address }))
    await act(['approve-transaction', 'approve'], ['approve-transaction', 'cancel'])
    await expect(done).rejects.toThrow()
    expect(errorsOn('approve-transaction').at(-1)).toBeTruthy()
  })
})

describe('in compatible apps, whose pages sign without a review', () => {
  const rules = { rawSigning: false, delegates: [simple7702Account, elsewhere] }
  const own = foreignKey.address
  const ask = (method: string, params: readonly unknown[]) =>
    parseEthereumRequest({ method, params } as never, rules)

  test('the allowed contract alone is signed', async () => {
    await expect(ask('eth_signTransaction', [transactionOf(own)])).resolves.toMatchObject({ signer: own })
    await expect(ask('eth_sign7702Authorization', [own, entry])).resolves.toMatchObject({ signer: own })
  })

  test.each([
    ['another contract', { address: other }],
    ['every chain', { chainId: 0 }],
    ['another chain', { chainId: 1 }],
    ['another nonce', { nonce: 9 }],
  ])('a transaction whose authorization names %s is refused', async (_, more) => {
    const list = [{ ...entry, ...more }]
    await expect(
      ask('eth_signTransaction', [transactionOf(own, { authorizationList: list })]),
    ).rejects.toThrow()
  })

  test.each([
    ['another contract', { address: other }],
    ['every chain', { chainId: 0 }],
  ])('an authorization that names %s is refused', async (_, more) => {
    await expect(ask('eth_sign7702Authorization', [own, { ...entry, ...more }])).rejects.toThrow()
  })

  test('bare digests stay refused: one could be that of an authorization', async () => {
    for (const method of ['secp256k1_sign', 'eth_sign'])
      await expect(ask(method, [`0x${'11'.repeat(32)}`])).rejects.toThrow()
  })
})

describe('the setting of the vault’s page', () => {
  const read = (delegates: unknown) =>
    readSettings(JSON.stringify({ ...settings, delegates }))?.delegates.map(({ name }) => name)

  test('without it the contract is Simple7702Account; with it those that it names', () => {
    expect(read(undefined)).toEqual(['Simple7702Account'])
    expect(read([plain, elsewhere])).toEqual(['Plain', 'Elsewhere'])
    expect(read([])).toEqual([])
  })

  test.each([
    ['no list', 'all'],
    ['no address', [{ ...plain, address: '0x12' }]],
    ['the zero address', [{ ...plain, address: NO_CODE }]],
    ['no name', [{ ...plain, name: '' }]],
    ['a chain that is none', [{ ...plain, chainId: -1 }]],
    ['one that can’t be read beside a good one', [plain, { ...plain, address: other.replace('B', 'b') }]],
  ])('%s allows nothing', (_, delegates) => expect(read(delegates)).toEqual([]))
})

test('the frame’s message takes the kinds of code strictly, and drops what a page adds to them', () => {
  const own = { root: { chainType: 'ethereum', address: other }, walletIndex: 0, address: other }
  const read = (content: object) => readApprovalRequest('sign', { ...own, ...content } as never)
  const whole = { kind: 'authorization', authorization: entry }
  expect(read(whole)).toEqual({ ...own, ...whole })
  expect(read({ ...whole, delegates: [plain] })).toEqual({ ...own, ...whole })
  expect(read({ kind: 'authorization' })).toBeUndefined()
  expect(read({ kind: 'authorization', authorization: '0x05' })).toBeUndefined()
  expect(read({ kind: 'evmBatch' })).toBeUndefined()
  expect(read({ kind: 'evmBatch', transaction: {}, state: 'fine' })).toBeUndefined()
})
