/** What people do most, in the engines that are not Chromium's, on the demo. */
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { words } from '../../src/vault/export/words.ts'
import { keeps, open } from '../e2e/support/apps.ts'
import { type Demo, mailedCode, startDemo } from '../e2e/support/demo.ts'
import { limit } from '../support/limit.ts'
import type { Engine, Missing } from './engine.ts'
import { startFirefox } from './firefox.ts'
import { type Person, personAt, windowOf } from './person.ts'
import { startWebKit } from './webkit.ts'

const minutes = 60_000
const password = 'Lantern-tide&42'

describe.each([
  ['Firefox', startFirefox],
  ['WebKit', startWebKit],
])('%s', (name, start) => {
  let engine: Engine | Missing
  let demo: Demo
  let stopDemo: () => Promise<void>
  beforeAll(async () => {
    const [started, { demo: running, stop }] = await Promise.all([start(), startDemo()])
    engine = started
    demo = running
    stopDemo = stop
    console.log(`${name}: ${'missing' in engine ? `skipped, ${engine.missing}` : engine.version}`)
  }, 2 * minutes)
  afterAll(async () => {
    if (engine && 'close' in engine) await engine.close()
    await stopDemo?.()
  }, minutes)

  /** Somebody at a device of their own. Where the engine is missing the test is skipped, with the reason. */
  async function newPerson({ skip }: TestContext): Promise<Person> {
    if ('missing' in engine) return skip(`nothing ran in ${name}: ${engine.missing}`)
    return personAt(await engine.newDevice())
  }
  /** Begins a login by e-mail, up to the code. */
  async function askForCode(person: Person, app: string, email: string): Promise<void> {
    await person.goto(`${demo.site}/?app=${app}`)
    await person.press('Log in')
    await person.dialog().toContain('Log in or sign up')
    await expect
      .poll(person.focused, { timeout: limit(5_000) })
      .toEqual({ kind: 'input', words: 'Email address' })
    await person.type(email)
    await person.press('Submit')
    await person.dialog().toContain('Enter confirmation code')
  }
  async function logIn(person: Person, email: string): Promise<void> {
    const since = Date.now() - 1000
    await askForCode(person, keeps, email)
    await person.type(await mailedCode(demo, email, since))
    await person.text('#address').toMatch(/^0x[0-9a-fA-F]{40}$/)
  }
  async function verify(person: Person): Promise<string> {
    await person.text('#signature').toMatch(/^0x[0-9a-f]{130}$/)
    await person.press('Verify')
    await person.text('#verdict').toMatch(/^Valid: signed by 0x/)
    return person.tab.evaluate<string>("document.querySelector('#address').textContent")
  }

  it(
    'logs in, gets a wallet, signs, recovers it on a second device by a password, and exports its key there',
    async (context) => {
      const email = `${name.toLowerCase()}.${Date.now()}@example.com`
      const first = await newPerson(context)
      await logIn(first, email)
      await first.dialog().toBe('')
      await first.press('Sign')
      await first.press('Sign and continue')
      const address = await verify(first)
      await first.dialog().toBe('')

      await first.press('Set up recovery')
      await first.pressStart('Password')
      await first.fill('Password', password)
      await first.press('Continue')
      await first.dialog().toContain('Save your password')
      await first.press('Continue')
      await first.dialog().toContain('Confirm your password')
      await first.fill('Password', password)
      await first.press('Continue')
      await first.press('', 'input[type=checkbox]')
      await first.press('Set Password')
      await first.dialog().toContain('Success')
      await first.press('Close')
      await first.dialog().toBe('')

      const second = await newPerson(context)
      await logIn(second, email)
      await second.dialog().toBe('')
      await second.press('Sign')
      await second.press('Sign and continue')
      await second.dialog().toContain('Recover your wallet')
      await second.fill('Password', password)
      await second.press('Recover wallet')
      expect(await verify(second)).toBe(address)
      await second.dialog().toBe('')

      await second.press(`Export ${address}`)
      const page = `${demo.vault}/apps/${keeps}/embedded-wallets/export`
      await second.pressInFrame('iframe[title="Private key"]', page, words.showKey)
      await second.textInFrame(page, 'code').toMatch(/^0x[0-9a-f]{64}$/)
      const key = await second.tab.evaluateInFrame<`0x${string}`>(
        page,
        "document.querySelector('code').textContent",
      )
      expect(privateKeyToAccount(key).address).toBe(address)
      await second.press('Close')
      await second.dialog().toBe('')
    },
    5 * minutes,
  )

  it(
    'logs in by a code in the vault’s own frame, and signs in its window, where the vault decides',
    async (context) => {
      const email = `strict.${name.toLowerCase()}.${Date.now()}@example.com`
      const person = await newPerson(context)
      const since = Date.now() - 1000
      await askForCode(person, open, email)
      const vault = `${demo.vault}/apps/${open}/embedded-wallets/approval`
      await person.seeInFrame(`${vault}?`, 'input')
      // Whoever has the code types it, without a press on the boxes before.
      await expect.poll(person.focused).toMatchObject({ kind: 'iframe' })
      await person.type(await mailedCode(demo, email, since))
      await person.text('#address').toMatch(/^0x[0-9a-fA-F]{40}$/)
      await person.dialog().toBe('')

      await person.press('Sign')
      await person.pressInFrame('iframe[title="Wallet"]', `${vault}?`, 'Continue in a new window')
      const window = await windowOf(person, `${vault}/window`)
      await window.press('Sign and continue')
      expect(await verify(person)).toMatch(/^0x/)
      await person.dialog().toBe('')
    },
    5 * minutes,
  )
})
