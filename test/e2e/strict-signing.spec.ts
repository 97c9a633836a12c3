/** Everything that a wallet signs in an app whose secrets only the vault's own frame and window may use. */
import type { Page } from '@playwright/test'
import { type Address, createPublicClient, createTestClient, http, parseEther, verifyTypedData } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { LoginModal } from '../../src/index.ts'
import { typedDataOf } from '../support/typed-data.ts'
import { approve, closeReceipt } from './support/approval.ts'
import { open } from './support/apps.ts'
import { emailOf, expect, test } from './support/demo.ts'
import {
  addressesOf,
  createBy,
  newDevice,
  signOnEthereum,
  signOnSolana,
  untilClosed,
} from './support/embedded.ts'

const ask = (page: Page, request: { method: string; params: unknown[] }) =>
  page.evaluate((request) => {
    const { kit } = document.querySelector('login-modal') as LoginModal
    const [own] = kit?.embeddedWallets.get() ?? []
    const provider = own?.getProvider() as unknown as { request(asked: object): Promise<string> }
    return provider.request(request)
  }, request)

test('one code on a new device is enough for a message, typed data, a transaction and the other chain @soak', async ({
  browser,
  demo,
}) => {
  test.skip(!demo.chains[1], 'This machine has no anvil')
  const email = emailOf('signs-all')
  await (await newDevice(browser, demo, email, open)).context.close()
  const { page, context } = await newDevice(browser, demo, email, open)
  const [from = ''] = (await addressesOf(page)) as Address[]
  await signOnEthereum(page, from)

  await ask(page, { method: 'wallet_switchEthereumChain', params: [{ chainId: '0x1' }] })
  const typed = typedDataOf('Mail', { contents: ['string', 'Hello, Bob!'] })
  const signing = ask(page, { method: 'eth_signTypedData_v4', params: [from, typed] })
  await approve(page)
  const signature = (await signing) as `0x${string}`
  expect(await verifyTypedData({ ...typed, address: from, signature } as never)).toBe(true)
  await untilClosed(page)

  const transport = http(demo.chains[1])
  const to = privateKeyToAddress(generatePrivateKey())
  const value = parseEther('0.25')
  await createTestClient({ mode: 'anvil', transport }).setBalance({
    address: from as Address,
    value: parseEther('1'),
  })
  const sending = ask(page, {
    method: 'eth_sendTransaction',
    params: [{ from, to, value: `0x${value.toString(16)}` }],
  })
  await approve(page, 'Approve')
  const chain = createPublicClient({ transport })
  await chain.waitForTransactionReceipt({ hash: (await sending) as `0x${string}` })
  expect(await chain.getBalance({ address: to })).toBe(value)
  await closeReceipt(page)
  await untilClosed(page)

  await signOnSolana(page, await createBy(page, '#create-solana'))
  await context.close()
})
