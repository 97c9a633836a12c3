import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { counterfactualWallet, deployContractWallet } from '../../demo/world/chains/contract-wallets.ts'
import { openWindow, pressIn } from './support/approval.ts'
import { expect, test, watchPage } from './support/demo.ts'
import {
  accountsOf,
  configure,
  connected,
  dialog,
  heard,
  openList,
  openSite,
  row,
  signIn,
  status,
} from './support/wallet-site.ts'
import { askedOf, giveWallets, tellWallet } from './support/wallets.ts'

/** Nobody's yet: tests share a backend. */
const newAccount = () => {
  const privateKey = generatePrivateKey()
  return { privateKey, ...privateKeyToAccount(privateKey) }
}
type Account = ReturnType<typeof newAccount>
const metamask = ({ privateKey }: Account) => ({ name: 'MetaMask', rdns: 'io.metamask', privateKey })
const harbor = ({ privateKey }: Account) => ({
  name: 'Harbor Wallet',
  rdns: 'com.example.harbor',
  privateKey,
})

test('one of two wallets signs somebody in, comes back by itself, and is followed wherever it goes', async ({
  page,
  demo,
}) => {
  test.skip(!demo.chains[8453], 'This machine has no anvil')
  const problems = watchPage(page)
  const [ada, grace, edith] = [newAccount(), newAccount(), newAccount()]
  await giveWallets(page, {
    // It has never heard of the other chain.
    ethereum: [{ ...metamask(ada), chains: { 1: demo.chains[1] ?? '' } }, harbor(grace)],
    solana: [],
    chains: demo.chains,
  })
  await openSite(page, demo)

  await openList(page)
  await expect(row(page, 'Harbor Wallet')).toBeVisible()
  await row(page, 'MetaMask').click()
  await expect(page.getByRole('heading', { name: 'Successfully connected with MetaMask' })).toBeVisible()
  await expect(status(page)).toHaveText('You are logged in.')
  expect(await accountsOf(page)).toEqual([`wallet ${ada.address}`])
  const one = { walletClientType: 'metamask', address: ada.address, chainId: 'eip155:1', linked: true }
  expect(await connected(page)).toEqual([one])
  expect(await askedOf(page, 'Harbor Wallet')).not.toContain('eth_requestAccounts')

  await page.reload()
  await expect.poll(() => connected(page)).toEqual([one])
  await expect(status(page)).toHaveText('You are logged in.')
  expect(await heard(page)).toEqual(['lk-connect metamask', 'lk-wallets metamask'])
  const asked = await askedOf(page, 'MetaMask')
  expect(asked.filter((method) => /request|sign/i.test(method))).toEqual([])

  const go = (chain: number | string) =>
    page.evaluate(
      (chain) =>
        document
          .querySelector('wallet-connector')
          ?.wallets[0]?.switchChain(chain)
          .then(
            () => 'done',
            ({ code }) => code,
          ),
      chain,
    )
  const asks = async () => (await askedOf(page, 'MetaMask')).filter((method) => method.startsWith('wallet_'))
  await tellWallet(page, 'MetaMask', 'next', 'reject', 'wallet_addEthereumChain')
  expect(await go(8453)).toBe('wallet_rejected')
  expect((await connected(page))[0]?.chainId).toBe('eip155:1')
  expect(await go('eip155:8453')).toBe('done')
  await expect.poll(async () => (await connected(page))[0]?.chainId).toBe('eip155:8453')
  expect(await asks()).toEqual([
    ...['wallet_switchEthereumChain', 'wallet_addEthereumChain'],
    ...['wallet_switchEthereumChain', 'wallet_addEthereumChain', 'wallet_switchEthereumChain'],
  ])
  expect(await go(137)).toBe('unsupported_chain_id')
  await tellWallet(page, 'MetaMask', 'pickChain', 1)
  await tellWallet(page, 'MetaMask', 'pickAccount', edith.privateKey)
  await expect
    .poll(() => connected(page))
    .toEqual(expect.arrayContaining([{ ...one, address: edith.address, linked: false }]))
  expect((await heard(page)).length).toBeGreaterThan(3)

  // What was used last is at the top, also where wallets come first.
  await page.locator('#log-out').click()
  await expect(status(page)).toHaveText('You are logged out.')
  expect((await connected(page)).map(({ linked }) => linked)).toEqual([false, false])
  await configure(page, { appearance: { loginGroupPriority: 'web3-first' } })
  await page.locator('#log-in').click()
  const rows = dialog(page).getByRole('button', { name: /MetaMask|Wallet|wallets/ })
  await expect(rows).toHaveText([/^MetaMask.*Recent$/, /^Harbor Wallet$/, /^Other wallets$/])
  await row(page, 'MetaMask').click()
  await expect(status(page)).toHaveText('You are logged in.')
  expect(await accountsOf(page)).toEqual([`wallet ${edith.address}`])
  expect(problems).toEqual([])
})

test('a wallet that says no is asked again, twice at most, and what it does wrong is told @soak', async ({
  page,
  demo,
}) => {
  const problems = watchPage(page)
  const [ada, grace] = [newAccount(), newAccount()]
  await giveWallets(page, { ethereum: [metamask(ada), harbor(grace)], solana: [], chains: demo.chains })
  await openSite(page, demo)
  const heading = (name: string) => expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  const again = () => row(page, 'Try again').click()

  await openList(page)
  await tellWallet(page, 'MetaMask', 'next', 'reject')
  await tellWallet(page, 'MetaMask', 'next', 'throw')
  await tellWallet(page, 'MetaMask', 'next', 'internal')
  await row(page, 'MetaMask').click()
  await heading('Request rejected')
  await expect(dialog(page)).toContainText(
    "You declined the request in MetaMask. Try again when you're ready.",
  )
  await again()
  await heading('Unable to connect to wallet')
  await again()
  await heading('Unable to connect wallet')
  await expect(row(page, 'Try again')).toHaveCount(0)
  await row(page, 'Use a different wallet').click()

  await heading('Select your wallet')
  await tellWallet(page, 'Harbor Wallet', 'next', 'reject', 'personal_sign')
  await tellWallet(page, 'Harbor Wallet', 'next', 'other-key', 'personal_sign')
  await row(page, 'Harbor Wallet').click()
  await heading('Request rejected')
  await again()
  await heading('Signature not accepted')
  await again()
  await expect(status(page)).toHaveText('You are logged in.')
  expect(await accountsOf(page)).toEqual([`wallet ${grace.address}`])
  expect(problems).toEqual([])
})

test('a page connects wallets without logging anybody in, then has one log in and another one linked @soak', async ({
  page,
  demo,
}) => {
  const problems = watchPage(page)
  const [ada, grace] = [newAccount(), newAccount()]
  await giveWallets(page, { ethereum: [metamask(ada), harbor(grace)], solana: [], chains: demo.chains })
  await openSite(page, demo)
  /** Presses a wallet's row in the list that the page opens, and tells of the wallet that comes of it. */
  async function connect(name: string): Promise<string> {
    const connecting = page.evaluate(async () => {
      const wallet = await document.querySelector('wallet-connector')?.connect()
      return [wallet?.address, wallet?.connectorType, wallet?.linked].join(' ')
    })
    await row(page, name).click()
    return connecting
  }
  const first = (method: 'loginOrLink' | 'unlink' | 'disconnect') =>
    page.evaluate(
      (method) =>
        document
          .querySelector('wallet-connector')
          ?.wallets[0]?.[method]()
          .then(
            () => 'done',
            ({ code }) => code,
          ),
      method,
    )

  expect(await connect('MetaMask')).toBe(`${ada.address} injected false`)
  await expect(dialog(page)).toBeHidden()
  await expect(status(page)).toHaveText('You are logged out.')
  expect(await askedOf(page, 'MetaMask')).not.toContain('personal_sign')
  expect(await first('loginOrLink')).toBe('done')
  await expect(status(page)).toHaveText('You are logged in.')
  expect(await connected(page)).toMatchObject([{ address: ada.address, linked: true }])

  expect(await connect('Harbor Wallet')).toBe(`${grace.address} injected false`)
  expect(await first('loginOrLink')).toBe('done')
  expect(await accountsOf(page)).toEqual([`wallet ${ada.address}`, `wallet ${grace.address}`])
  expect(await connected(page)).toMatchObject([
    { address: grace.address, linked: true },
    { address: ada.address },
  ])
  expect(await first('loginOrLink')).toBe('resource_conflict')
  expect(await first('unlink')).toBe('done')
  expect(await accountsOf(page)).toEqual([`wallet ${ada.address}`])
  expect(await first('disconnect')).toBe('done')
  await tellWallet(page, 'MetaMask', 'revoke')
  await expect.poll(() => connected(page)).toEqual([])
  expect((await heard(page)).filter((text) => !text.startsWith('lk-wallets'))).toEqual([
    ...['lk-connect metamask', 'lk-connect harbor_wallet'],
    ...['lk-disconnect harbor_wallet', 'lk-disconnect metamask'],
  ])
  await page.reload()
  await expect(status(page)).toHaveText('You are logged in.')
  expect(await connected(page)).toEqual([])
  expect(problems).toEqual([])
})

test('a guest takes over the account to which their wallet belongs @soak', async ({
  page,
  context,
  demo,
}) => {
  const ada = newAccount()
  await giveWallets(page, { ethereum: [metamask(ada)], solana: [], chains: demo.chains })
  await openSite(page, demo, 'latchkey-demo-every-00009')
  const signMessage = (message: string) => ada.signMessage({ message })
  expect(await signIn(page, { address: ada.address, signMessage })).toBe('done')
  const former = await page.locator('#user-id').textContent()
  await page.locator('#log-out').click()
  await page.locator('#guest').click()
  await expect(status(page)).toHaveText('You are a guest.')
  const guest = (await page.locator('#user-id').textContent()) ?? ''
  expect(guest).not.toBe(former)

  await openList(page)
  await row(page, 'MetaMask').click()
  await expect(
    page.getByRole('heading', { name: 'This wallet address is associated with another account' }),
  ).toBeVisible()
  await expect(dialog(page)).toContainText(
    new RegExp(`transfer ${ada.address.slice(0, 4)}.*${ada.address.slice(-4)} to this account`),
  )
  await row(page, 'Transfer and delete account').click()
  // The guest has a wallet, so that their own device agrees to it.
  await pressIn(await openWindow(page, context), 'Transfer and delete account')
  await expect(status(page)).toHaveText('You are logged in.')
  await expect(page.locator('#user-id')).toHaveText(guest)
  expect(await accountsOf(page)).toContain(`wallet ${ada.address}`)
})

test('wallets that are contracts log in without our screens, by their own word @soak', async ({
  page,
  demo,
}) => {
  test.skip(!demo.chains[1], 'This machine has no anvil')
  await giveWallets(page, { ethereum: [], solana: [], chains: demo.chains })
  await openSite(page, demo)
  const owner = newAccount()
  const stranger = newAccount()
  const deployed = await deployContractWallet({ rpcUrl: demo.chains[1] ?? '', owner })
  const planned = counterfactualWallet(owner, `0x${'01'.repeat(32)}`)
  for (const wallet of [deployed, planned]) {
    const forged = { ...wallet, signMessage: (message: string) => stranger.signMessage({ message }) }
    expect(await signIn(page, forged)).toBe('invalid_credentials')
    await expect(status(page)).toHaveText('You are logged out.')
    expect(await signIn(page, wallet)).toBe('done')
    await expect(status(page)).toHaveText('You are logged in.')
    expect(await accountsOf(page)).toEqual([`wallet ${wallet.address}`])
    await page.locator('#log-out').click()
  }
})

test('a malicious wallet is text and a dead picture, once, however it announces itself @soak', async ({
  page,
  demo,
}) => {
  const problems = watchPage(page)
  const outside: string[] = []
  page.on('request', (request) => {
    if (!/^(data:|blob:)|\/\/localhost[:/]/.test(request.url())) outside.push(request.url())
  })
  const bad = `<img src=x onerror=hacked=1>\u202eksam \u2066MetaMask${'!'.repeat(1e5)}`
  const shown = '<img src=x onerror=hacked=1>ksam MetaMas'
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="parent.hacked=2"><script>parent.hacked=3</script>' +
    '<image href="https://evil.example/seen.png"/><rect width="9" height="9"/></svg>'
  await giveWallets(page, {
    ethereum: [
      // It comes when it is told to.
      ...[{ name: bad, rdns: 'com.evil', frozen: true, announce: { after: 2 ** 30 } }].map((wallet) => ({
        ...wallet,
        icon: `data:image/svg+xml,${encodeURIComponent(svg)}`,
      })),
      { name: 'Spy', rdns: 'com.spy', icon: 'https://evil.example/icon.svg' },
    ],
    solana: [],
    chains: demo.chains,
  })
  await openSite(page, demo)
  await openList(page)
  await expect(row(page, 'Spy')).toBeVisible()
  await expect(row(page, shown)).toHaveCount(0)

  await page.evaluate((name) => window.demoWallets?.[name]?.announce(window, { times: 2 }), bad)
  const place = row(page, shown)
  await expect(place).toHaveCount(1)
  await expect(place).toContainText(shown)
  await expect(dialog(page).locator('script, [onerror], [onload], svg image')).toHaveCount(0)
  const pictures = dialog(page).locator('img')
  await expect(place.locator('img')).toHaveAttribute('src', /^data:image\/svg\+xml,/)
  expect(
    await pictures.evaluateAll((all) => all.filter((each) => !/^data:/.test((each as HTMLImageElement).src))),
  ).toEqual([])

  await place.click()
  await expect(page.getByRole('heading', { name: `Successfully connected with ${shown}` })).toBeVisible()
  await expect(status(page)).toHaveText('You are logged in.')
  expect(await page.evaluate(() => Reflect.get(window, 'hacked'))).toBeUndefined()
  expect([...outside, ...problems]).toEqual([])
})
