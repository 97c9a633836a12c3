import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Anvil } from '../../../demo/world/chains/anvil.ts'
import { startChain } from '../../support/chains.ts'
import { embeddedKit, ethereumAccount, secondAccount } from '../../support/embedded-kit.ts'
import { limit } from '../../support/limit.ts'
import { answering, anvilChain, clientsOf, nodeFetch } from './support/on-chain.ts'

const { address } = ethereumAccount
const to = secondAccount.address
let anvil: Anvil
beforeAll(async () => {
  anvil = await startChain(31_337)
})
afterAll(() => anvil?.close())

/** viem's own clients on the provider; every request is approved. */
function setUp() {
  const node = nodeFetch()
  const set = embeddedKit({
    host: { supportedChains: [anvilChain(anvil.url)] },
    fetch: node.fetch,
  })
  set.login()
  const { client, reader } = clientsOf(set.provider(), anvilChain(anvil.url))
  const approved = <T>(work: Promise<T>): Promise<T> =>
    answering(set, node, work, (scene) => scene.answer('approve'), 2_000)
  /** Gives up when the dialog says that it will fail. */
  const givenUp = async <T>(work: Promise<T>): Promise<T> => {
    work.catch(() => {})
    // The request waits until the one before is closed.
    if (set.person.scene?.screen.id !== 'approve-transaction') set.person.close()
    await vi.waitFor(
      async () => {
        await set.clock.advance(500)
        expect(set.person.scene?.props).toMatchObject({
          preview: { warnings: [{ code: 'reverts' }, { code: 'undescribed' }] },
        })
      },
      {
        timeout: limit(10_000),
      },
    )
    await set.person.follow([['approve-transaction', 'cancel']])
    return work
  }
  return { ...set, client, reader, approved, givenUp }
}

test('viem sends, waits and reads through the provider', async () => {
  const { client, reader, approved } = setUp()
  const before = await reader.getBalance({ address: to })
  const hash = await approved(client.sendTransaction({ to, value: parseEther('1.5') }))
  const receipt = await reader.waitForTransactionReceipt({ hash })
  expect([receipt.status, receipt.from, receipt.gasUsed]).toEqual(['success', address.toLowerCase(), 21_000n])
  expect((await reader.getBalance({ address: to })) - before).toBe(parseEther('1.5'))
})

test('two at once get two numbers', async () => {
  const { client, reader, approved } = setUp()
  const work = [1n, 2n].map((value) => client.sendTransaction({ to, value }))
  const hashes = await approved(Promise.all(work))
  const nonces = await Promise.all(hashes.map(async (hash) => (await reader.getTransaction({ hash })).nonce))
  expect((nonces[1] ?? 0) - (nonces[0] ?? 0)).toBe(1)
})

test('a contract is made and called, and the person reads why it will refuse', async () => {
  const { client, reader, approved, givenUp } = setUp()
  // Returns 42 when it is called without data, and reverts otherwise.
  const code = '0x36600e57602a60005260206000f35b60006000fd'
  const bytecode =
    `0x60${(code.length / 2 - 1).toString(16)}600c60003960${(code.length / 2 - 1).toString(16)}6000f3${code.slice(2)}` as const
  const made = await approved(client.deployContract({ abi: [], bytecode }))
  const { contractAddress } = await reader.waitForTransactionReceipt({ hash: made })
  expect(contractAddress).toMatch(/^0x/)
  const called = await approved(client.sendTransaction({ to: contractAddress ?? to }))
  expect((await reader.waitForTransactionReceipt({ hash: called })).status).toBe('success')
  const refused = client.sendTransaction({ to: contractAddress ?? to, data: '0x01' })
  await expect(givenUp(refused)).rejects.toThrow(/User rejected/)
})
