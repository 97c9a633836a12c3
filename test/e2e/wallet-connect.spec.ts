import { verifyMessage } from 'viem'
import type { WalletConnector } from '../../src/index.ts'
import { limit } from '../support/limit.ts'
import { expect, test, watchPage } from './support/demo.ts'
import {
  answerOf,
  app,
  askToConnect,
  choose,
  connected,
  hearConnector,
  heard,
  readCode,
  status,
  walletElsewhere,
} from './support/elsewhere.ts'
import { giveWallets } from './support/wallets.ts'

test.beforeEach(({ page }) => giveWallets(page, {}))

test('a wallet elsewhere takes the code, signs somebody in, and is there again after a reload; either side can leave', async ({
  page,
  demo,
}) => {
  const problems = watchPage(page)
  const sockets: string[] = []
  page.on('websocket', (socket) => sockets.push(new URL(socket.url()).host))
  const { phone, wallet } = await walletElsewhere(demo)
  await page.goto(`${demo.site}/?app=${app}`)
  await expect(status(page)).toHaveText('You are logged out.')
  expect(sockets).toEqual([])

  await choose(page, 'WalletConnect')
  await expect(page.getByRole('heading', { name: 'Scan with your wallet' })).toBeVisible()
  await phone.pair(await readCode(page))
  await expect(status(page)).toHaveText('You are logged in.')
  await expect(page.locator('#address')).toHaveText(wallet.address)
  expect(phone.sessions()).toMatchObject([
    { name: 'Bring Your Wallet', accounts: expect.arrayContaining([`eip155:1:${wallet.address}`]) },
  ])
  await expect(page.getByRole('dialog')).toBeHidden()
  const id = await page.locator('#user-id').textContent()

  await page.reload()
  await hearConnector(page)
  await expect(status(page)).toHaveText('You are logged in.')
  await expect(page.locator('#user-id')).toHaveText(id ?? '')
  const rainbow = {
    address: wallet.address,
    name: 'Rainbow',
    by: 'wallet_connect_v2',
    linked: true,
    open: true,
  }
  await expect.poll(() => connected(page)).toEqual([rainbow])
  const signature = await page.evaluate(() =>
    (document.querySelector('wallet-connector') as WalletConnector).wallets[0]?.sign('After a reload'),
  )
  expect(
    await verifyMessage({
      address: wallet.address,
      message: 'After a reload',
      signature: signature as `0x${string}`,
    }),
  ).toBe(true)

  await phone.disconnect()
  await expect.poll(() => heard(page)).toContain('lk-disconnect Rainbow')
  expect(await connected(page)).toEqual([])
  await expect(status(page)).toHaveText('You are logged in.')

  await askToConnect(page, { walletList: ['wallet_connect'] })
  await page.getByRole('button', { name: 'WalletConnect', exact: true }).click()
  await phone.pair(await readCode(page))
  expect(await answerOf(page)).toBe(wallet.address)
  expect(phone.sessions()).toHaveLength(1)
  await page.evaluate(() =>
    (document.querySelector('wallet-connector') as WalletConnector).wallets[0]?.disconnect(),
  )
  await expect.poll(() => phone.sessions()).toEqual([])
  expect(await connected(page)).toEqual([])
  await page.reload()
  await expect(status(page)).toHaveText('You are logged in.')
  expect(await connected(page)).toEqual([])

  expect(new Set(sockets)).toEqual(new Set([new URL(demo.relayUrl).host]))
  expect(problems).toEqual([])
  await phone.close()
})

test('who declines the connection, or the signature, may try again @soak', async ({ page, demo }) => {
  const problems = watchPage(page)
  const answers = [false, true, true]
  const peers: object[] = []
  const { phone, wallet } = await walletElsewhere(demo, {
    approve(peer) {
      peers.push(peer)
      return answers.shift() ?? false
    },
  })
  await page.goto(`${demo.site}/?app=${app}`)
  await choose(page, 'Rainbow')
  await expect(page.getByRole('heading', { name: 'Scan with Rainbow' })).toBeVisible()
  const first = await readCode(page)
  await phone.pair(first)
  const rejected = page.getByRole('heading', { name: 'Request rejected' })
  await expect(rejected).toBeVisible()
  await expect(page.getByText('You declined the request in Rainbow.').first()).toBeVisible()
  expect(peers).toEqual([{ name: 'Bring Your Wallet', url: demo.site }])
  expect(phone.sessions()).toEqual([])

  wallet.control.next('reject', 'personal_sign')
  await page.getByRole('button', { name: 'Try again' }).click()
  const second = await readCode(page)
  expect(second).not.toBe(first)
  await phone.pair(second)
  await expect(rejected).toBeVisible()
  await expect(status(page)).toHaveText('You are logged out.')

  // The wallet is connected: what it is asked again is the signature alone.
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(status(page)).toHaveText('You are logged in.')
  await expect(page.locator('#address')).toHaveText(wallet.address)
  expect(peers).toHaveLength(2)
  expect(phone.sessions()).toHaveLength(1)
  expect(problems).toEqual([])
  await phone.close()
})

test('a relay that is down is said to be, and when it is back the same button leads on @soak', async ({
  page,
  demo,
}) => {
  // A relay gets its full time, of which a test has none to give.
  await page.clock.install()
  let isDown = true
  let tried = 0
  await page.routeWebSocket(`${demo.relayUrl}/**`, async (socket) => {
    tried++
    if (isDown) return void (await socket.close({ code: 1001 }))
    socket.connectToServer()
  })
  const { phone, wallet } = await walletElsewhere(demo)
  await page.goto(`${demo.site}/?app=${app}`)
  await choose(page, 'WalletConnect')
  await expect(page.getByText('Preparing the connection').first()).toBeVisible()
  await expect.poll(() => tried).toBeGreaterThan(0)
  await page.clock.fastForward(20_000)
  await expect(page.getByRole('heading', { name: 'Unable to connect to wallet' })).toBeVisible({
    timeout: limit(30_000),
  })
  await expect(page.locator('#trace')).toContainText('lk-error · network_unavailable')

  isDown = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await phone.pair(await readCode(page))
  await expect(status(page)).toHaveText('You are logged in.')
  await expect(page.locator('#address')).toHaveText(wallet.address)
  await phone.close()
})
