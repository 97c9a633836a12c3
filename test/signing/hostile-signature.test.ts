/** The answer of a vault's frame is compared with what was approved, before the network or the host gets it. */
import { encodeFunctionData, erc20Abi, keccak256, maxUint256, parseTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { anvilKeys } from '../../demo/world/wallet/accounts.ts'
import type { PlainObject } from '../../src/lib/plain.ts'
import type { SignRequestOf } from '../../src/protocol/frame/sign-request.ts'
import { fakeApprovals } from '../support/approvals.ts'
import { fakeNode, type NodeAnswer } from '../support/chain-node.ts'
import { embeddedKit, ethereumAccount, exampleChain, secondAccount } from '../support/embedded-kit.ts'
import type { Step } from '../support/person.ts'

const { address } = ethereumAccount
const to = secondAccount.address
const thief = `0x${'66'.repeat(20)}`
const token = `0x${'a0'.repeat(20)}` as const
const transferTo = (recipient: string) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient as `0x${string}`, 5n] })
const approvalOf = (amount: bigint, spender: string = to) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender as `0x${string}`, amount] })
const host = {
  supportedChains: [exampleChain()],
}

const refused: Step = {
  on: 'transaction-failed',
  expect: ({ detail, action }) =>
    expect([detail, action]).toEqual([
      'Your wallet signed something other than what you approved. Nothing was sent.',
      'close',
    ]),
  answer: 'close',
}

type Fields = Record<string, unknown>
type Forgery = (fields: Fields) => Fields
interface Hostile {
  readonly forge?: Forgery
  /** The key that signs in place of the wallet's. */
  readonly key?: `0x${string}`
  readonly raw?: (signed: string) => string
  /** The changes that the vault reports as the user's. */
  readonly edited?: Forgery
}

async function signHostile(given: object, { forge = (fields) => fields, key = anvilKeys[0], raw }: Hostile) {
  const { from: _, gasLimit, type, ...rest } = forge({ ...given }) as Record<string, never>
  const amount = (name: string) => (rest[name] === undefined ? undefined : BigInt(rest[name] as never))
  const signed = await privateKeyToAccount(key).signTransaction({
    ...rest,
    type: ['legacy', 'eip2930', 'eip1559'][Number(type)],
    gas: BigInt(gasLimit as never),
    value: amount('value'),
    nonce: Number(rest.nonce),
    gasPrice: amount('gasPrice'),
    maxFeePerGas: amount('maxFeePerGas'),
    maxPriorityFeePerGas: amount('maxPriorityFeePerGas'),
  } as never)
  return raw?.(signed) ?? signed
}

/** An app whose vault's frame signs what `hostile` makes of each request. */
function setUp(mode: 'compatible' | 'strict', hostile: Hostile) {
  const sent: string[] = []
  const node = fakeNode({
    eth_sendRawTransaction([raw]): NodeAnswer {
      sent.push(raw as string)
      return { result: keccak256(raw as `0x${string}`) }
    },
  })
  const signed = new Map<string, { raw: string; edited?: object }>()
  const sign = async (transaction: PlainObject) => {
    const edited = hostile.edited?.({ ...transaction })
    const raw = await signHostile(edited ?? transaction, hostile)
    signed.set(JSON.stringify(transaction), { raw, ...(edited && { edited: { transaction: edited } }) })
  }
  const approvals = fakeApprovals((_, request) => {
    const { state, transaction } = request as SignRequestOf<'evmTransaction'>
    if (state === 'preparing') return undefined
    const made = signed.get(JSON.stringify(transaction))
    if (made) return { answer: { signed: made.raw, ...(made.edited && { edited: made.edited }) } }
    // Signed while the page's first attempt ends; the vault of the next one has it.
    void sign(transaction)
    return { error: new Error('The frame is not ready') }
  })
  const set = embeddedKit({
    host,
    fetch: node.fetch,
    ...(mode === 'strict'
      ? { approvals }
      : { rpc: (_, { params }) => signHostile((params as readonly object[])[0] as object, hostile) }),
  })
  set.login()
  async function request(method: string, fields: object, ...then: Step[]) {
    const done = set
      .provider()
      .request({ method, params: [{ from: address, to, ...fields }] })
      .then(
        (value) => ({ value: value as string, error: undefined }),
        (error: { code: number; cause?: { code?: string; data?: object } }) => ({ value: undefined, error }),
      )
    await set.person.follow([
      mode === 'strict' ? ['transaction-failed', 'retry'] : ['approve-transaction', 'approve'],
      ...then,
      { wait: 2_000 },
    ])
    return done
  }
  return { ...set, request, sent }
}

const forgeries: readonly [field: string, Hostile, fields?: object][] = [
  ['to', { forge: (fields) => ({ ...fields, to: thief }) }],
  ['value', { forge: (fields) => ({ ...fields, value: '0xde0b6b3a7640000' }) }],
  [
    'data',
    { forge: (fields) => ({ ...fields, data: transferTo(thief) }) },
    { to: token, data: transferTo(to) },
  ],
  ['chainId', { forge: (fields) => ({ ...fields, chainId: 10 }) }],
  ['nonce', { forge: (fields) => ({ ...fields, nonce: 8 }) }],
  ['gasLimit', { forge: (fields) => ({ ...fields, gasLimit: '0x989680' }) }],
  ['fee', { forge: (fields) => ({ ...fields, maxFeePerGas: '0x1d1a94a2000' }) }],
  [
    'type',
    {
      forge: ({ maxFeePerGas, maxPriorityFeePerGas: _, ...fields }) => ({
        ...fields,
        type: 0,
        gasPrice: maxFeePerGas,
      }),
    },
  ],
  ['accessList', { forge: (fields) => ({ ...fields, accessList: [{ address: thief, storageKeys: [] }] }) }],
  ['signer', { key: anvilKeys[1] }],
  ['encoding', { raw: (signed) => `${signed}00` }],
  ['encoding', { raw: () => '0x02c0' }],
]
const cases = forgeries.flatMap(([field, hostile, fields]) =>
  (['compatible', 'strict'] as const).flatMap((mode) =>
    (['eth_sendTransaction', 'eth_signTransaction'] as const).map(
      (method) => [mode, method, field, hostile, fields] as const,
    ),
  ),
)

test.each(cases)(
  'hostile frame, %s app, %s: a signature with another %s is a typed error, and neither host nor network gets it',
  async (mode, method, field, hostile, fields) => {
    const { request, sent, told } = setUp(mode, hostile)
    const { value, error } = await request(method, { value: '0x64', ...fields }, refused)
    expect(value).toBeUndefined()
    expect(error).toMatchObject({ code: -32603, cause: { code: 'signature_mismatch', data: { field } } })
    expect(sent).toEqual([])
    expect(told.map(({ code }) => code)).toContain('signature_mismatch')
  },
)

test.each(['compatible', 'strict'] as const)(
  'hostile frame, %s app: exactly the approved transaction is sent, whatever its type',
  async (mode) => {
    for (const fields of [
      { value: '0x64' },
      { gasPrice: '0x77359400' },
      { gasPrice: '0x77359400', accessList: [{ address: to, storageKeys: [`0x${'00'.repeat(32)}`] }] },
      { to: token, data: transferTo(to) },
      { to: null, data: '0x6001600101', gas: '0x186a0' },
    ]) {
      const { request, sent } = setUp(mode, {})
      const { error, value } = await request('eth_sendTransaction', fields)
      expect(error).toBeUndefined()
      expect(sent.map((raw) => keccak256(raw as `0x${string}`))).toEqual([value])
    }
  },
)

test.each<[string, Forgery]>([
  ['a lowered allowance', (fields) => ({ ...fields, data: approvalOf(7n), gasLimit: '0xea60' })],
  ['another fee', (fields) => ({ ...fields, maxFeePerGas: '0x12a05f200' })],
])('strict app: %s that the user has chosen in the vault is sent', async (_, edited) => {
  const { request, sent } = setUp('strict', { edited })
  const { error } = await request('eth_sendTransaction', { to: token, data: approvalOf(maxUint256) })
  expect(error).toBeUndefined()
  const { to: recipient, nonce } = parseTransaction(sent[0] as `0x02${string}`)
  expect([recipient, nonce]).toEqual([token, 7])
})

test.each<[string, string, Forgery]>([
  ['a raised allowance', 'data', (fields) => ({ ...fields, data: approvalOf(11n) })],
  ['another spender', 'data', (fields) => ({ ...fields, data: approvalOf(5n, thief) })],
  ['another call', 'data', (fields) => ({ ...fields, data: transferTo(thief) })],
  ['another recipient', 'to', (fields) => ({ ...fields, to: thief })],
  ['a value', 'value', (fields) => ({ ...fields, value: '0x1' })],
  ['another nonce', 'nonce', (fields) => ({ ...fields, nonce: 9 })],
  ['another chain', 'chainId', (fields) => ({ ...fields, chainId: 10 })],
  ['something unreadable', 'encoding', (fields) => ({ ...fields, type: 3 })],
])('strict app: %s is no edit of a user’s, and is not sent', async (_, field, edited) => {
  const { request, sent } = setUp('strict', { edited })
  const { error } = await request('eth_sendTransaction', { to: token, data: approvalOf(10n) }, refused)
  expect(error).toMatchObject({ cause: { code: 'signature_mismatch', data: { field } } })
  expect(sent).toEqual([])
})
