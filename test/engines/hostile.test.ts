/** A hostile host page in a strict app, in the engines that are not Chromium's: what it gets by itself, and by presses on the vault's frame. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messagesOf } from '../e2e/support/hostile-messages.ts'
import {
  changesOf,
  createTable,
  type HostileSite,
  logIn,
  lootIn,
  startHostileSite,
  stateOf,
} from '../e2e/support/hostile-site.ts'
import type { Engine, Missing, Tab } from './engine.ts'
import { startFirefox } from './firefox.ts'
import { startWebKit } from './webkit.ts'

const minutes = 60_000
const mode = 'strict'

/** A page of the attacker's around the vault of a user whose token it has. */
async function newVictim(site: HostileSite, tab: Tab, email: string) {
  const { token } = await logIn(site, mode, email)
  const run = <T>(work: string) => tab.evaluate<T>(`(async () => (${work}))()`)
  const say = (event: string, data: object) =>
    run<Record<string, string>>(`await window.hostile.ask(${JSON.stringify(event)}, ${JSON.stringify(data)})`)
  const heard = () => run<string[]>('window.hostile.heard.splice(0)')
  await tab.goto(site.host)
  await run(`await window.hostile.hide(${JSON.stringify(site.pages(mode))})`)
  const { address = '' } = await say('privy:wallet:create', { accessToken: token })
  const { publicKey: solana = '' } = await say('privy:solana-wallet:create', { accessToken: token })
  expect([address, solana]).toEqual([expect.stringMatching(/^0x/), expect.stringMatching(/^\w{32,44}$/)])
  return { mode, token, address, solana, tab, run, say, heard } as const
}
type Victim = Awaited<ReturnType<typeof newVictim>>

/** The requests that a frame may be asked to show. */
function requestsOf({ address }: Victim): Record<string, object> {
  const wallet = { root: { chainType: 'ethereum', address }, walletIndex: 0, address }
  const sign = (message: string) => ({ kind: 'message', ...wallet, message })
  const transact = (transaction: object) => ({
    kind: 'evmTransaction',
    ...wallet,
    action: 'sign',
    transaction,
  })
  const gas = { gasLimit: '0xffff', maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x3b9aca00' }
  const transaction = { from: address, chainId: 1, nonce: 0, type: 2, ...gas }
  return {
    'a plain message': sign('hello'),
    'a message of bytes': sign(`0x${'80'.repeat(32)}`),
    'a transfer': transact({ ...transaction, to: `0x${'ab'.repeat(20)}`, value: '0x1' }),
    'an allowance without an end': transact({
      ...transaction,
      to: `0x${'ab'.repeat(20)}`,
      value: '0x0',
      data: `0x095ea7b3${'cd'.repeat(20).padStart(64, '0')}${'f'.repeat(64)}`,
    }),
  }
}

/** How the page lays the frame out. Each covers, hides or shrinks what the user would read. */
const layouts: Record<string, string> = {
  'in full view': '',
  'nearly transparent': 'opacity:.01',
  'scaled down': 'transform:scale(.2);transform-origin:0 0',
  'masked but for its end': 'clip-path:inset(520px 0 0 0)',
  'blended away': 'mix-blend-mode:screen;filter:brightness(9)',
}

/** Presses all over the lower end of the frame, where buttons are, for longer than the second of quiet and with pauses beyond it. */
async function pressAround(tab: Tab): Promise<void> {
  const until = (milliseconds: number) => ({ type: 'pause', duration: milliseconds })
  const press = (x: number, y: number) => [
    { type: 'pointerMove', x, y },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ]
  const places = [
    [300, 616],
    [220, 616],
    [220, 560],
    [60, 160],
  ] as const
  await tab.act([
    {
      type: 'pointer',
      id: 'mouse',
      actions: places.flatMap(([x, y]) => [...press(x, y), until(1_300), ...press(x, y)]),
    },
  ])
}

describe.each([
  ['Firefox', startFirefox],
  ['WebKit', startWebKit],
])('%s', (name, start) => {
  let engine: Engine | Missing
  let site: HostileSite
  beforeAll(async () => {
    const started = await Promise.all([start(), startHostileSite()])
    engine = started[0]
    site = started[1]
    console.log(`${name}: ${'missing' in engine ? `skipped, ${engine.missing}` : engine.version}`)
  }, 3 * minutes)
  afterAll(async () => {
    if (engine && 'close' in engine) await engine.close()
    await site?.stop()
  }, minutes)

  it(
    'strict app: messages and presses of a hostile page bring no key, share, signature or change, in this engine',
    async ({ skip }) => {
      if ('missing' in engine) return skip(`nothing ran in ${name}: ${engine.missing}`)
      const victim = await newVictim(
        site,
        await engine.newDevice(),
        `victim.${name.toLowerCase()}@example.com`,
      )
      const table = createTable(`Hostile page in ${name}, strict`)
      const attempt = async (title: string, work: () => Promise<unknown>) => {
        await victim.heard()
        const before = await stateOf(site, victim)
        await work()
        const loot = lootIn(await victim.heard(), victim.address)
        table.note(title, [...loot, ...changesOf(before, await stateOf(site, victim))])
      }
      for (const [title, [event, data]] of Object.entries(messagesOf(victim)))
        await attempt(title, () => victim.say(event, data))
      for (const [title, request] of Object.entries(requestsOf(victim)))
        for (const [layout, css] of Object.entries(layouts)) {
          const place = 'position:fixed;left:40px;top:40px;width:360px;height:620px;border:0'
          const approval = {
            ...{ url: `${site.pages(mode)}/approval`, purpose: 'sign', request, token: victim.token },
            css: `${place};${css}`,
          }
          await attempt(`${title}, ${layout}: presses on the frame`, async () => {
            await victim.run(`await window.hostile.approve(${JSON.stringify(approval)})`)
            await pressAround(victim.tab)
          })
          await victim.run('window.hostile.leave()')
        }
      table.print()
      expect(table.rows.length).toBeGreaterThan(30)
      expect(table.won()).toEqual({})
    },
    15 * minutes,
  )
})
