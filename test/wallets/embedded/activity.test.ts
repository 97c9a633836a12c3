/** The dialog of what was sent: speeding up, cancelling, sending again, and transactions whose tab was closed. */
import { expect, test } from 'vitest'
// Pages load these when there is something to sign; here no test should wait for their compilation.
import '../../../src/ethereum/rpc.ts'
import '../../../src/ethereum/track.ts'
import '../../../src/ethereum/transaction.ts'
import { hexToBytes, keccak256, parseTransaction, type TransactionSerialized } from 'viem'
import { anvilKeys } from '../../../demo/world/wallet/accounts.ts'
import type { ActivityEntry } from '../../../src/activity/entry.ts'
import type { KitError } from '../../../src/errors/kit-error.ts'
import { completeTransaction, parseTransaction as parseRequest } from '../../../src/ethereum/transaction.ts'
import type { PlainObject } from '../../../src/lib/plain.ts'
import type { SignRequestOf } from '../../../src/protocol/frame/sign-request.ts'
import type { TransactionPreview } from '../../../src/signing/preview.ts'
import { transactionSigner } from '../../../src/vault/signing/sign-transaction.ts'
import { fakeApprovals } from '../../support/approvals.ts'
import { fakeNode, type NodeAnswer } from '../../support/chain-node.ts'
import { embeddedKit, ethereumAccount, exampleChain, secondAccount } from '../../support/embedded-kit.ts'
import type { Step } from '../../support/person.ts'

const { address } = ethereumAccount
const to = secondAccount.address
const blockHash = `0x${'b0'.repeat(32)}`
const key = 'lk:latchkey-demo-recover-013:activity:u1'
const host = {
  supportedChains: [exampleChain()],
}

/** A network with a pool, in which the dearest transaction of a nonce takes the place of the others. */
function fakeNetwork() {
  const sent: { hash: string; raw: string; nonce: number; fee: bigint }[] = []
  const network = {
    sent,
    pool: new Set<string>(),
    mined: new Map<string, '0x0' | '0x1'>(),
    refuse: undefined as string | undefined,
    baseFee: '0x3b9aca00',
  }
  const find = (hash: unknown) => sent.find((each) => each.hash === hash)
  const minedNonce = () => 7 + network.mined.size
  const known = (hash: unknown) => {
    const found = find(hash)
    if (!found || !(network.pool.has(found.hash) || network.mined.has(found.hash))) return null
    return {
      hash: found.hash,
      from: address,
      nonce: `0x${found.nonce.toString(16)}`,
      to,
      value: '0x0',
      input: '0x',
    }
  }
  const { fetch, asked } = fakeNode({
    eth_sendRawTransaction([raw]): NodeAnswer {
      if (network.refuse) return { error: { code: -32000, message: network.refuse } }
      const hash = keccak256(raw as `0x${string}`)
      if (network.pool.has(hash)) return { error: { code: -32000, message: 'already known' } }
      const { nonce = 0, maxFeePerGas: fee = 0n } = parseTransaction(raw as TransactionSerialized)
      if (nonce < minedNonce()) return { error: { code: -32000, message: 'nonce too low' } }
      for (const other of sent)
        if (network.pool.has(other.hash) && other.nonce === nonce) {
          if (fee * 10n < other.fee * 11n)
            return { error: { code: -32000, message: 'replacement transaction underpriced' } }
          network.pool.delete(other.hash)
        }
      sent.push({ hash, raw: String(raw), nonce, fee })
      network.pool.add(hash)
      return { result: hash }
    },
    eth_getTransactionReceipt([hash]) {
      const status = network.mined.get(String(hash))
      if (!status) return { result: null }
      const { to: receiver } = parseTransaction(find(hash)?.raw as TransactionSerialized)
      return {
        result: {
          transactionHash: hash,
          status,
          blockNumber: '0x10',
          blockHash,
          from: address.toLowerCase(),
          to: receiver,
          gasUsed: '0x5208',
          effectiveGasPrice: '0x77359400',
          logs: [],
        },
      }
    },
    eth_getTransactionByHash: ([hash]) => ({ result: known(hash) }),
    eth_getTransactionCount: ([, block]) => ({
      result: `0x${(block === 'pending' ? minedNonce() + network.pool.size : minedNonce()).toString(16)}`,
    }),
    eth_blockNumber: '0x10',
    eth_getBlockByNumber: ([block]) => ({
      result:
        block === 'latest'
          ? { gasLimit: '0x1c9c380', baseFeePerGas: network.baseFee }
          : { hash: blockHash, transactions: [...network.mined.keys()] },
    }),
  })
  return {
    ...network,
    network,
    fetch,
    asked,
    mine(hash = sent.at(-1)?.hash ?? '') {
      network.pool.delete(hash)
      network.mined.set(hash, '0x1')
    },
    drop: () => network.pool.clear(),
  }
}

function setUp(
  chain = fakeNetwork(),
  storage?: ReturnType<typeof embeddedKit>['storage'],
  approvals?: ReturnType<typeof fakeApprovals>,
) {
  const kit = embeddedKit({
    host,
    fetch: chain.fetch,
    ...(storage && { storage }),
    ...(approvals && { approvals }),
  })
  kit.login()
  /** Sends a transaction, and closes its dialog as soon as the network has it. */
  async function sendAndClose() {
    const work = kit.provider().request({
      method: 'eth_sendTransaction',
      params: [{ from: address, to, value: '0x16345785d8a0000' }],
    })
    await kit.person.follow([approve, { on: 'transaction-sent', close: true }])
    return String(await work)
  }
  const rowKey = (at = 0) => {
    const { chain: on, hash } = kit.activity.get()[at] as ActivityEntry
    return { entry: `${on} ${hash}` }
  }
  return { ...kit, chain, sendAndClose, rowKey }
}
const approve: Step = ['approve-transaction', 'approve']
/** Collects what a screen shows. */
const look = (on: string, into: Record<string, unknown>[]): Step => ({
  on,
  expect: (props) => into.push(props),
})

test('activity: a pending transaction is sped up by a dearer one, and is replaced once that is confirmed', async () => {
  const { person, activity, chain, sendAndClose, rowKey, openActivity } = setUp()
  const first = await sendAndClose()
  const open = openActivity()
  const seen: Record<string, unknown>[] = []
  await person.follow([
    look('activity-list', seen),
    ['activity-list', rowKey()],
    look('activity-detail', seen),
    ['activity-detail', 'speed-up'],
    look('approve-transaction', seen),
    approve,
    ['transaction-sent', 'close'],
  ])
  expect(seen).toMatchObject([
    {
      pending: [{ kind: 'transfer', status: 'pending', amount: '0.1 ETH', network: 'Ethereum', when: 'now' }],
    },
    { status: 'pending', to, amount: '0.1 ETH', hash: first, actions: ['speed-up', 'cancel'] },
    { title: 'Speed up transaction', preview: { value: 10n ** 17n } },
  ])
  const [one, other] = chain.sent
  expect(other?.nonce).toBe(one?.nonce)
  expect((other?.fee ?? 0n) * 8n).toBeGreaterThanOrEqual((one?.fee ?? 0n) * 9n)
  expect(activity.get()).toMatchObject([
    { hash: other?.hash, status: 'pending', title: 'transfer' },
    { hash: first, status: 'pending' },
  ])
  chain.mine()
  await person.follow([{ wait: 20_000 }])
  expect(activity.get()).toMatchObject([
    { hash: other?.hash, status: 'confirmed' },
    { hash: first, status: 'replaced', replacedBy: other?.hash },
  ])
  person.close()
  await open
})

test.each([
  ['speed-up', { resolvesWith: 'second' }],
  ['cancel', { rejectsWith: 'replaced' }],
])('activity: a host that waits for its transaction hears of %s', async (action, outcome) => {
  const { person, chain, rowKey, openActivity, sendForHost } = setUp()
  const sent = sendForHost({ to, value: 10n ** 17n, chainId: 1 }).then(
    (result) => ({ resolved: result }),
    (error: KitError) => ({ rejected: error }),
  )
  await person.follow([approve, { on: 'transaction-sent', close: true }])
  const open = openActivity()
  await person.follow([
    ['activity-list', rowKey()],
    ['activity-detail', action],
    approve,
    ['transaction-sent', 'close'],
  ])
  chain.mine()
  await person.follow([{ wait: 20_000 }])
  const [first, second] = chain.sent.map(({ hash }) => hash)
  expect(await sent).toMatchObject(
    'resolvesWith' in outcome
      ? { resolved: { transactionHash: second, receipt: { transactionHash: second, status: 'success' } } }
      : {
          rejected: {
            code: 'transaction_failure',
            data: { transactionHash: first, status: 'replaced', replacedBy: second },
          },
        },
  )
  person.close()
  await open
})

test('activity: the older one of two that wait can be watched, but not replaced once more', async () => {
  const { person, sendAndClose, rowKey, openActivity } = setUp()
  await sendAndClose()
  const open = openActivity()
  const seen: Record<string, unknown>[] = []
  await person.follow([
    ['activity-list', rowKey()],
    ['activity-detail', 'speed-up'],
    approve,
    ['transaction-sent', 'close'],
  ])
  await person.follow([
    ['activity-list', rowKey(1)],
    look('activity-detail', seen),
    ['activity-detail', 'back'],
  ])
  await person.follow([['activity-list', rowKey(0)], look('activity-detail', seen)])
  expect(seen).toMatchObject([
    { isSuperseded: true, actions: [] },
    { isSuperseded: false, actions: ['speed-up', 'cancel'] },
  ])
  person.close()
  await open
})

/** The vault of a strict app whose user approves every transaction that is complete. */
function approvingVault(edit: (fields: PlainObject) => PlainObject = (fields) => fields) {
  const signed: Record<string, unknown>[] = []
  const approvals = fakeApprovals((_, request) => {
    const { state, transaction: given } = request as SignRequestOf<'evmTransaction'>
    if (state === 'preparing') return undefined
    const fields = edit(given)
    signed.push(fields)
    const raw = transactionSigner(completeTransaction(parseRequest(fields)))(
      Uint8Array.from(hexToBytes(anvilKeys[0])),
    )
    return { answer: { signed: raw, ...(fields !== given && { edited: { transaction: fields } }) } }
  })
  return { approvals, signed }
}

test.each([
  ['speed-up', { to, value: '0x16345785d8a0000' }, 'transfer'],
  ['cancel', { to: address, value: '0x0' }, 'cancel'],
] as const)(
  'activity: in a strict app the vault reviews the complete replacement of %s, under the same nonce and dearer',
  async (action, expected, title) => {
    const { approvals, signed } = approvingVault()
    const { person, activity, chain, provider, rowKey, openActivity } = setUp(
      fakeNetwork(),
      undefined,
      approvals,
    )
    const work = provider().request({
      method: 'eth_sendTransaction',
      params: [{ from: address, to, value: '0x16345785d8a0000' }],
    })
    await person.follow([{ on: 'transaction-sent', close: true }])
    const first = await work
    const open = openActivity()
    await person.follow([
      ['activity-list', rowKey()],
      ['activity-detail', action],
      ['transaction-sent', 'close'],
    ])
    const [one, other] = chain.sent
    expect(signed).toMatchObject([
      { to, nonce: 7 },
      { ...expected, nonce: 7 },
    ])
    expect((other?.fee ?? 0n) * 8n).toBeGreaterThanOrEqual((one?.fee ?? 0n) * 9n)
    expect(activity.get()).toMatchObject([
      { hash: other?.hash, status: 'pending', title },
      { hash: first, status: 'pending' },
    ])
    person.close()
    await open
  },
)

test('activity: a replacement pays more than the fee that the user has chosen in the vault', async () => {
  const chosen = { maxFeePerGas: '0x174876e800', maxPriorityFeePerGas: '0x2540be400' }
  let isFirst = true
  const { approvals, signed } = approvingVault((fields) => {
    const edited = isFirst ? { ...fields, ...chosen } : fields
    isFirst = false
    return edited
  })
  const { person, activity, chain, provider, rowKey, openActivity } = setUp(
    fakeNetwork(),
    undefined,
    approvals,
  )
  const work = provider().request({
    method: 'eth_sendTransaction',
    params: [{ from: address, to, value: '0x16345785d8a0000' }],
  })
  await person.follow([{ on: 'transaction-sent', close: true }])
  await work
  expect(parseTransaction(activity.get()[0]?.raw as TransactionSerialized)).toMatchObject({
    maxFeePerGas: 100_000_000_000n,
    maxPriorityFeePerGas: 10_000_000_000n,
  })
  const open = openActivity()
  await person.follow([
    ['activity-list', rowKey()],
    ['activity-detail', 'speed-up'],
    ['transaction-sent', 'close'],
  ])
  expect(signed).toHaveLength(2)
  const replacement = parseTransaction(chain.sent[1]?.raw as TransactionSerialized)
  expect(replacement.nonce).toBe(7)
  expect(replacement.maxFeePerGas).toBeGreaterThanOrEqual(112_500_000_000n)
  expect(replacement.maxPriorityFeePerGas).toBeGreaterThanOrEqual(11_250_000_000n)
  person.close()
  await open
})

test('activity: cancelling sends nothing to the wallet itself, under the same nonce and a higher fee', async () => {
  const { person, activity, chain, sendAndClose, rowKey, openActivity } = setUp()
  const first = await sendAndClose()
  const open = openActivity()
  const previews: TransactionPreview[] = []
  await person.follow([
    ['activity-list', rowKey()],
    ['activity-detail', 'cancel'],
    {
      on: 'approve-transaction',
      expect: ({ title, preview }) => {
        expect(title).toBe('Cancel transaction')
        previews.push(preview as TransactionPreview)
      },
      answer: 'approve',
    },
    ['transaction-sent', 'close'],
  ])
  expect(previews).toMatchObject([{ value: 0n, actions: [{ kind: 'transfer', to: address, amount: 0n }] }])
  const [one, other] = chain.sent.map(({ raw }) => parseTransaction(raw as TransactionSerialized))
  expect(other).toMatchObject({ to: address.toLowerCase(), nonce: one?.nonce })
  expect(other?.value ?? 0n).toBe(0n)
  chain.mine()
  await person.follow([{ wait: 20_000 }])
  expect(activity.get()).toMatchObject([
    { title: 'cancel', status: 'confirmed' },
    { hash: first, status: 'replaced' },
  ])
  person.close()
  await open
})

test('activity: declining the replacement changes nothing and leads back to the transaction', async () => {
  const { person, activity, chain, sendAndClose, rowKey, openActivity, asked } = setUp()
  await sendAndClose()
  const open = openActivity()
  await person.follow([
    ['activity-list', rowKey()],
    ['activity-detail', 'speed-up'],
    ['approve-transaction', 'cancel'],
    ['activity-detail', 'back'],
    { on: 'activity-list' },
  ])
  expect(asked).toHaveLength(1)
  expect(chain.sent).toHaveLength(1)
  expect(activity.get()).toHaveLength(1)
  person.close()
  await open
})

test('activity: a replacement that comes too late is refused, and nothing of it is listed', async () => {
  const { person, activity, chain, sendAndClose, rowKey, openActivity, told } = setUp()
  const first = await sendAndClose()
  const open = openActivity()
  await person.follow([
    ['activity-list', rowKey()],
    ['activity-detail', 'speed-up'],
    { on: 'approve-transaction', expect: () => chain.mine(first) },
    approve,
    { on: 'transaction-failed', expect: ({ action }) => expect(action).toBe('close'), answer: 'close' },
    { on: 'activity-detail' },
  ])
  expect(chain.sent).toHaveLength(1)
  expect(activity.get().map(({ hash }) => hash)).toEqual([first])
  expect(told.map(({ code }) => code)).toEqual(['transaction_failure'])
  person.close()
  await open
})

test('activity: a replacement whose fee would be absurd is not offered for approval, and the screen says so', async () => {
  const { person, chain, sendAndClose, rowKey, openActivity, asked } = setUp()
  await sendAndClose()
  const open = openActivity()
  chain.network.baseFee = `0x${'f'.repeat(14)}`
  const seen: Record<string, unknown>[] = []
  await person.follow([
    ['activity-list', rowKey()],
    ['activity-detail', 'speed-up'],
    look('activity-detail', seen),
  ])
  expect(seen).toMatchObject([{ status: 'pending', error: expect.stringMatching(/error preparing/) }])
  expect(asked).toHaveLength(1)
  person.close()
  await open
})

test('activity: a replacement that was refused for another reason stays dearer when it is tried again', async () => {
  const { person, activity, chain, sendAndClose, rowKey, openActivity } = setUp()
  await sendAndClose()
  const open = openActivity()
  chain.network.refuse = 'internal limit reached'
  await person.follow([
    ['activity-list', rowKey()],
    ['activity-detail', 'speed-up'],
    approve,
    { on: 'transaction-failed' },
  ])
  expect(activity.get()).toHaveLength(1)
  chain.network.refuse = undefined
  await person.follow([['transaction-failed', 'retry'], approve, ['transaction-sent', 'close']])
  const [one, other] = chain.sent
  expect((other?.fee ?? 0n) * 8n).toBeGreaterThanOrEqual((one?.fee ?? 0n) * 9n)
  person.close()
  await open
})

test('activity: a replacement that the node has already counts as sent', async () => {
  const { person, activity, chain, sendAndClose, rowKey, openActivity } = setUp()
  await sendAndClose()
  const open = openActivity()
  chain.network.refuse = 'already known'
  await person.follow([
    ['activity-list', rowKey()],
    ['activity-detail', 'speed-up'],
    approve,
    ['transaction-sent', 'close'],
    { on: 'activity-list' },
  ])
  expect(activity.get()).toMatchObject([{ status: 'pending' }, { status: 'pending' }])
  person.close()
  await open
})

test('activity: a dropped transaction is sent again with the same bytes, and then confirmed', async () => {
  const { person, activity, chain, sendAndClose, rowKey, openActivity, asked } = setUp()
  const first = await sendAndClose()
  chain.drop()
  await person.follow([{ wait: 10 * 60_000 }])
  expect(activity.get()).toMatchObject([{ status: 'dropped' }])
  const open = openActivity()
  const seen: Record<string, unknown>[] = []
  await person.follow([
    ['activity-list', rowKey()],
    look('activity-detail', seen),
    ['activity-detail', 'send-again'],
    look('activity-detail', seen),
  ])
  expect(seen).toMatchObject([
    { status: 'dropped', actions: ['send-again'] },
    { status: 'pending', actions: ['speed-up', 'cancel'] },
  ])
  expect(chain.sent.map(({ hash }) => hash)).toEqual([first, first])
  expect(asked).toHaveLength(1)
  chain.mine()
  await person.follow([{ wait: 2 * 60_000 }])
  expect(activity.get()).toMatchObject([{ hash: first, status: 'confirmed' }])
  person.close()
  await open
})

test('activity: sending again that the node refuses says so, and can be tried again', async () => {
  const { person, activity, chain, sendAndClose, rowKey, openActivity } = setUp()
  await sendAndClose()
  chain.drop()
  await person.follow([{ wait: 10 * 60_000 }])
  chain.network.refuse = 'insufficient funds for gas * price + value'
  const open = openActivity()
  const seen: Record<string, unknown>[] = []
  await person.follow([
    ['activity-list', rowKey()],
    ['activity-detail', 'send-again'],
    look('activity-detail', seen),
  ])
  expect(seen).toMatchObject([
    {
      status: 'dropped',
      actions: ['send-again'],
      error: 'Wallet has insufficient funds for this transaction.',
    },
  ])
  expect(activity.get()).toMatchObject([{ status: 'dropped' }])
  person.close()
  await open
})

test('activity: a transaction whose tab was closed is found again by a new kit, and followed to its receipt', async () => {
  const chain = fakeNetwork()
  const before = setUp(chain)
  const hash = await before.sendAndClose()
  before.close()
  chain.mine(hash)
  const after = setUp(chain, before.storage)
  expect(after.activity.get()).toMatchObject([{ hash, status: 'pending' }])
  await after.person.follow([{ wait: 20_000 }])
  expect(after.activity.get()).toMatchObject([
    { hash, status: 'confirmed', block: '16', fee: '42000000000000' },
  ])
  expect(chain.sent).toHaveLength(1)
})

test('activity: another tab lists what this one sends, and follows it after this one was closed', async () => {
  const chain = fakeNetwork()
  const sender = setUp(chain)
  const other = setUp(chain, sender.storage)
  expect(other.activity.get()).toEqual([])
  const hash = await sender.sendAndClose()
  sender.close()
  other.window.dispatchEvent(Object.assign(new Event('storage'), { key }))
  expect(other.activity.get()).toMatchObject([{ hash, status: 'pending' }])
  chain.mine(hash)
  await other.person.follow([{ wait: 20_000 }])
  expect(other.activity.get()).toMatchObject([{ hash, status: 'confirmed' }])
})

test('activity: a sped-up pair whose tab was closed ends with one confirmed and one replaced', async () => {
  const chain = fakeNetwork()
  const before = setUp(chain)
  const first = await before.sendAndClose()
  const open = before.openActivity()
  await before.person.follow([
    ['activity-list', before.rowKey()],
    ['activity-detail', 'speed-up'],
    approve,
    { on: 'transaction-sent', close: true },
  ])
  await open
  before.close()
  chain.mine()
  const after = setUp(chain, before.storage)
  await after.person.follow([{ wait: 20_000 }])
  expect(after.activity.get()).toMatchObject([
    { hash: chain.sent[1]?.hash, status: 'confirmed' },
    { hash: first, status: 'replaced', replacedBy: chain.sent[1]?.hash },
  ])
})

test.each([
  ['of another wallet', { wallet: to }],
  ['under another hash', { hash: `0x${'1'.repeat(64)}` }],
  ['of another chain', { chain: 'eip155:10' }],
  ['that can not be read', { raw: '0xnothing' }],
])('activity: stored bytes %s offer no action', async (_, wrong) => {
  const chain = fakeNetwork()
  const before = setUp(chain)
  await before.sendAndClose()
  before.close()
  const [entry] = JSON.parse(before.storage.get(key) ?? '[]')
  before.storage.set(key, JSON.stringify([{ ...entry, ...wrong }]))
  const { person, openActivity, rowKey } = setUp(chain, before.storage)
  const open = openActivity()
  const seen: Record<string, unknown>[] = []
  await person.follow([['activity-list', rowKey()], look('activity-detail', seen)])
  expect(seen).toMatchObject([{ actions: [] }])
  person.close()
  await open
})

test('activity: without a transaction the list is empty, and closing it is no failure', async () => {
  const { person, openActivity, told } = setUp()
  const open = openActivity()
  await person.follow([
    {
      on: 'activity-list',
      expect: (props) => expect(props).toMatchObject({ pending: [], done: [] }),
      close: true,
    },
  ])
  expect(await open).toBeUndefined()
  expect(told).toEqual([])
})

test('activity: nobody who is not logged in sees one', async () => {
  const { openActivity, logout } = setUp()
  logout()
  await expect(openActivity()).rejects.toMatchObject({ code: 'must_be_authenticated' })
})

test('a host hears of a confirmed transaction while its dialog still displays the receipt', async () => {
  const { person, chain, sendForHost } = setUp()
  const sent = sendForHost({ to, value: 10n ** 17n, chainId: 1 })
  await person.follow([approve])
  chain.mine()
  // Nobody presses anything from here on.
  await person.follow([{ wait: 20_000 }])
  expect(await sent).toMatchObject({
    transactionHash: chain.sent.at(-1)?.hash,
    receipt: { status: 'success' },
  })
  person.close()
})
