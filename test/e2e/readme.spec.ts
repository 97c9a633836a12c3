/** A newcomer's page: what the README has one write, against the demo. */
import fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Address, parseEther } from 'viem'
import type { WalletSend } from '../../src/index.ts'
import { closeReceipt } from './support/approval.ts'
import { type Demo, emailOf, expect, logIn, test, watchPage } from './support/demo.ts'
import { chainOf, newAddress, reviewOf } from './support/sending.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const readme = fs.readFileSync(path.join(root, 'README.md'), 'utf8')

/** An example of the README, by words that are in no other. */
function example(language: string, words: string): string {
  const found = [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].flatMap(
    ([, code = '']) => (code.includes(words) ? [code] : []),
  )
  expect(found, `the example with ${words}`).toHaveLength(1)
  return found[0] ?? ''
}

/** Serves the README's page with the addresses of this demo in the place of the usual ones. */
async function serveReadme(demo: Demo) {
  const [, attributes = ''] = /use\n`(app-id="[^`]*)`/.exec(readme) ?? []
  const usual: Record<string, string> = {
    'http://localhost:4801': demo.api,
    'http://localhost:4802': demo.vault,
    'http://localhost:4806': demo.chains[1] ?? '',
    'http://localhost:4807': demo.chains[8453] ?? '',
    'http://localhost:4808': demo.solanaRpcUrl,
  }
  const here = (text: string) =>
    text.replaceAll(/http:\/\/localhost:48\d\d/g, (address) => usual[address] ?? address)
  const html = example('html', '<login-modal')
    .replace(/app-id="[^>]*"/, here(attributes))
    .concat(`<wallet-send ${here(attributes)}></wallet-send>`)
  const script = example('js', '// page.js') + here(example('js', 'login.config = {'))
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const send = (type: string, body: string | Buffer) =>
      void response.writeHead(200, { 'content-type': type }).end(body)
    const file = path.join(root, 'dist/cdn', pathname.replace('/latchkey/', ''))
    if (pathname === '/') send('text/html', `<!doctype html>${html}`)
    else if (pathname === '/page.js') send('text/javascript', script)
    else if (/^\/latchkey\/[\w./-]+\.js$/.test(pathname) && fs.existsSync(file))
      send('text/javascript', fs.readFileSync(file))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://localhost:${port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

let site: Awaited<ReturnType<typeof serveReadme>>
test.beforeAll(async ({ demo }) => {
  site = await serveReadme(demo)
})
test.afterAll(() => site?.stop())

test('the README’s page logs somebody in against the demo, and sends the transaction that the README sends', async ({
  page,
  demo,
}) => {
  test.skip(!demo.chains[8453], 'This machine has no anvil')
  const problems = watchPage(page)
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  await page.goto(site.origin)
  const email = emailOf('newcomer')
  await page.locator('#log-in').click()
  await logIn(page, demo, email)
  await expect.poll(() => said).toContain(email)

  const address = await page.evaluate(async () => {
    const login = document.querySelector('login-modal') as HTMLElement & {
      user?: { wallet?: { address?: string } }
    }
    return login.user?.wallet?.address
  })
  expect(address).toMatch(/^0x[\da-fA-F]{40}$/)
  const chain = chainOf(demo.chains[8453] ?? '')
  await chain.setBalance({ address: address as Address, value: parseEther('1') })
  const to = newAddress()
  const code = example('js', "element('wallet-send').send()").split('\n')[1] ?? ''
  expect(code).toContain('value: 10n ** 15n, chainId: 8453')
  const sending = page.evaluate(
    ([line, recipient]) => {
      const element = (tag: string) => document.querySelector(tag) as unknown as WalletSend
      const run = new Function('element', 'to', `return (async () => { ${line}; return transactionHash })()`)
      return run(element, recipient) as Promise<string>
    },
    [code, to] as const,
  )
  const review = await reviewOf(page)
  await expect(review.screen).toContainText('0.001')
  await review.press('Approve')
  expect(await sending).toMatch(/^0x[\da-f]{64}$/)
  expect(await chain.getBalance({ address: to })).toBe(parseEther('0.001'))
  await closeReceipt(page)
  expect(problems).toEqual([])
})
