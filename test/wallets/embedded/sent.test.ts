/** What becomes of a transaction after it was sent: its receipt, its failure, and the list of activity. */
import { keccak256 } from 'viem'
import { expect, test } from 'vitest'
// Pages load these when there is something to sign; here no test should wait for their compilation.
import '../../../src/ethereum/rpc.ts'
import '../../../src/ethereum/track.ts'
import '../../../src/ethereum/transaction.ts'
import { fakeNode, type NodeAnswer } from '../../support/chain-node.ts'
import { embeddedKit, ethereumAccount, exampleChain, secondAccount } from '../../support/embedded-kit.ts'
import type { Step } from '../../support/person.ts'

const { address } = ethereumAccount
const to = secondAccount.address
const blockHash = `0x${'b0'.repeat(32)}`
const host = {
  supportedChains: [exampleChain()],
}

/** A network that confirms what it was sent, with this status, once `isMined`. */
function setUp(status: '0x0' | '0x1' = '0x1') {
  const network = { isMined: false, hash: '', sent: 0 }
  const receipt = () => ({
    transactionHash: network.hash,
    status,
    blockNumber: '0x10',
    blockHash,
    from: address.toLowerCase(),
    to: to.toLowerCase(),
    gasUsed: '0x5208',
    effectiveGasPrice: '0x77359400',
    logs: [],
  })
  const { fetch } = fakeNode({
    eth_sendRawTransaction(params): NodeAnswer {
      network.hash = keccak256(params[0] as `0x${string}`)
      network.sent++
      return { result: network.hash }
    },
    eth_getTransactionReceipt: () => ({ result: network.isMined ? receipt() : null }),
    eth_getTransactionCount: () => ({ result: `0x${(7 + network.sent).toString(16)}` }),
    eth_blockNumber: '0x10',
    eth_getBlockByNumber: (params) => ({
      result:
        params[0] === 'latest'
          ? { gasLimit: '0x1c9c380', baseFeePerGas: '0x3b9aca00' }
          : { hash: blockHash, transactions: [network.hash] },
    }),
  })
  const kit = embeddedKit({ host, fetch })
  kit.login()
  const send = () =>
    kit.provider().request({
      method: 'eth_sendTransaction',
      params: [{ from: address, to, value: '0x16345785d8a0000' }],
    })
  return { ...kit, network, send }
}
const approve: Step = ['approve-transaction', 'approve']

test('sent: the library gets the hash at once, and the user the receipt once the network has confirmed it', async () => {
  const { network, send, person, activity } = setUp()
  const work = send()
  await person.follow([approve, { on: 'transaction-sent' }])
  expect(await work).toBe(network.hash)
  expect(activity.get()).toMatchObject([
    { chain: 'eip155:1', wallet: address, to, status: 'pending', title: 'transfer' },
  ])
  network.isMined = true
  const receipts: unknown[] = []
  await person.follow([
    { on: 'transaction-receipt', expect: (props) => receipts.push(props), answer: 'close' },
  ])
  expect(receipts).toMatchObject([
    { hash: network.hash, network: 'Ethereum', amount: '0.1 ETH', fee: '0.000042 ETH' },
  ])
  expect(activity.get()).toMatchObject([{ status: 'confirmed', block: '16' }])
  expect(person.ends).toMatchObject([{ completed: true }])
})

test('sent: a transaction that fails on the network is called a failure, with its hash', async () => {
  const { network, send, person, told, activity } = setUp('0x0')
  const work = send()
  await person.follow([approve, { on: 'transaction-sent' }])
  network.isMined = true
  const seen: unknown[] = []
  await person.follow([{ on: 'transaction-failed', expect: (props) => seen.push(props), answer: 'close' }])
  expect(seen).toMatchObject([{ title: 'Transaction failure', hash: network.hash, action: 'close' }])
  expect(told).toMatchObject([{ code: 'transaction_failure', data: { transactionHash: network.hash } }])
  expect(person.trace()).not.toContain('transaction-receipt')
  expect(activity.get()).toMatchObject([{ status: 'failed' }])
  expect(await work).toBe(network.hash)
})

test('sent: closing the dialog stops nothing, and the transaction is followed to its receipt', async () => {
  const { network, send, person, activity } = setUp()
  const work = send()
  await person.follow([approve, { on: 'transaction-sent', close: true }, { wait: 1_000 }])
  expect(await work).toBe(network.hash)
  network.isMined = true
  await person.follow([{ wait: 20_000 }])
  expect(activity.get()).toMatchObject([{ status: 'confirmed' }])
})

test('sent: a second request waits until the first one is closed, and is then reviewed', async () => {
  const { send, person, network } = setUp()
  network.isMined = true
  const works = [send(), send()]
  await person.follow([approve, ['transaction-receipt', 'close'], approve, ['transaction-receipt', 'close']])
  const [first, second] = await Promise.all(works)
  expect(first).not.toBe(second)
  expect(second).toBe(network.hash)
})

test('sent: after a logout nothing of it stays in the browser', async () => {
  const { send, person, network, activity, storage, logout } = setUp()
  const key = 'lk:latchkey-demo-recover-013:activity:u1'
  network.isMined = true
  const work = send()
  await person.follow([approve, ['transaction-receipt', 'close']])
  await work
  expect(storage.get(key)).toContain(network.hash)
  logout()
  expect(activity.get()).toEqual([])
  expect(storage.get(key)).toBeUndefined()
})
