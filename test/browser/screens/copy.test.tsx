/** Every control that copies: what it says of a press, and for how long. */
import { expect } from '@open-wc/testing'
import { systemClock } from '../../../src/lib/clock.ts'
import { COPIED_VISIBLE } from '../../../src/lib/copied.ts'
import { inAppBrowser } from '../../../src/login/oauth/in-app-browser.tsx'
import { linkConflict } from '../../../src/login/transfer/link-conflict.tsx'
import { authenticator } from '../../../src/mfa/enroll/authenticator.tsx'
import { recoveryCodes } from '../../../src/mfa/enroll/recovery-codes.tsx'
import { transactionFailed } from '../../../src/signing/transaction/transaction-failed.tsx'
import { drawCompactOffer } from '../../../src/vault/export/offer.ts'
import { walletConnectCode } from '../../../src/wallets/connect/wallet-connect.tsx'
import { walletCreated } from '../../../src/wallets/embedded/create/created.tsx'
import { savePassword } from '../../../src/wallets/recovery/password/save-password.tsx'
import { limit } from '../../support/limit.ts'
import { type Mounted, mountIn, type Place, painted, places, press, unmountAll, until } from './mount.tsx'

const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const page = `https://harbor.example/${'a/'.repeat(40)}`
const uri = 'wc:7f6e504bfad60b485450578e05678ed3@2?relay-protocol=irn&symKey=587d5484ce2a2a6ee3ba1962fdd7e858'
const hash = `0x${'12'.repeat(32)}`
const conflict = { title: 'This e-mail belongs to somebody else', account: 'ada@example.com' }
const codes = ['abcd-efgh', 'ijkl-mnop']

interface Control {
  /** What its screen shows. */
  ask(screen: Mounted): Promise<void>
  name: string
  /** What the clipboard gets. */
  text: string
  /** Where its screen is drawn. */
  in?: readonly Place[]
}
const controls: Record<string, Control> = {
  'a wallet’s address': {
    ask: (screen) => screen.ask(walletCreated, { address, isNewUser: true }),
    name: 'Copy address',
    text: address,
  },
  'the address of another account’s wallet': {
    ask: (screen) => screen.ask(linkConflict, { ...conflict, walletAddress: address, page: 'check' }),
    name: 'Copy address',
    text: address,
  },
  'the link of a QR code': {
    ask: (screen) =>
      screen.ask(walletConnectCode, { wallet: { id: 'rainbow', name: 'Rainbow' }, uri, mobile: false }),
    name: 'Copy link',
    text: uri,
  },
  'the hash of a transaction': {
    ask: (screen) => screen.ask(transactionFailed, { title: 'Failed', hash, action: 'retry' }),
    name: 'Copy transaction hash',
    text: hash,
  },
  'the address of the page': {
    ask: (screen) => screen.ask(inAppBrowser, { address: page }),
    name: 'Copy link',
    text: page,
  },
  'the secret of an authenticator app': {
    ask: (screen) => screen.ask(authenticator, { authUrl: 'otpauth://totp/x?secret=ABCD', secret: 'ABCD' }),
    name: 'Copy setup key',
    text: 'ABCD',
  },
  'recovery codes': {
    ask: (screen) => screen.ask(recoveryCodes, { codes, appName: 'Harbor' }),
    name: 'Copy',
    text: codes.join('\n'),
  },
  'a recovery password': {
    ask: (screen) => screen.ask(savePassword, { password: 'harbor-lantern' }),
    name: 'Copy',
    text: 'harbor-lantern',
    in: places,
  },
}

/** The clipboard of the page, and a clock for what is said of a press alone: everything else takes its own time. */
function stub(writeText: (text: string) => Promise<void>) {
  const { setTimeout: realSet, clearTimeout: realClear } = globalThis
  const waiting = new Map<number, { at: number; work(): void }>()
  let now = 0
  let ids = -1
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
  globalThis.setTimeout = ((work: () => void, ms = 0) => {
    if (ms !== COPIED_VISIBLE) return realSet(work, ms)
    waiting.set(--ids, { at: now + ms, work })
    return ids
  }) as typeof setTimeout
  globalThis.clearTimeout = ((id: number) => {
    if (!waiting.delete(id)) realClear(id)
  }) as typeof clearTimeout
  restore = () => {
    Object.assign(globalThis, { setTimeout: realSet, clearTimeout: realClear })
    Reflect.deleteProperty(navigator, 'clipboard')
  }
  return {
    waiting,
    async advance(ms: number) {
      now += ms
      for (const [id, { at, work }] of [...waiting]) if (at <= now && waiting.delete(id)) work()
      await painted()
    },
  }
}
let restore = () => {}

const control = ({ all }: Mounted, { name }: Control) => {
  const found = all('button').find((each) => each.ariaLabel === name || each.textContent?.startsWith(name))
  if (!found) throw new Error(`There is no button '${name}'`)
  return found
}
/** Whether words can be read, other than by a screen reader alone. */
const reads = ({ all }: Mounted, words: string) =>
  all('*').some(
    (each) =>
      each.textContent === words &&
      !each.closest('[role=status]') &&
      getComputedStyle(each).opacity !== '0' &&
      each.getBoundingClientRect().width > 1,
  )
const said = ({ root }: Mounted) => root.querySelector('[role=status]')?.textContent?.trim()

afterEach(() => {
  unmountAll()
  restore()
})

it('stays for two seconds', () => {
  expect(COPIED_VISIBLE).to.equal(2_000)
})

for (const [what, its] of Object.entries(controls))
  for (const place of its.in ?? ['page'])
    describe(`what copies ${what}, in the ${place}`, () => {
      const asked = async () => {
        const screen = mountIn(place)
        await its.ask(screen)
        return screen
      }

      it('says ‘Copied’ for two seconds, counted from the last press, and what to do if the clipboard refuses', async () => {
        const written: string[] = []
        let refuses = false
        const { advance, waiting } = stub(async (text) => {
          if (refuses) throw new DOMException('no', 'NotAllowedError')
          written.push(text)
        })
        const screen = await asked()
        const before = control(screen, its).textContent
        expect(reads(screen, 'Copied')).to.equal(false)
        await press(control(screen, its))
        await until(() => reads(screen, 'Copied'), 'it to say that it was copied')
        expect([written, said(screen)]).to.deep.equal([[its.text], 'Copied'])
        await advance(1_500)
        // A button that says so in place of its own words takes no press meanwhile.
        const again = control(screen, its).ariaDisabled !== 'true'
        if (again) {
          const [first] = waiting.keys()
          await press(control(screen, its))
          await until(() => !waiting.has(first ?? 0), 'the time to begin anew')
          expect(written).to.deep.equal([its.text, its.text])
          await advance(1_999)
        } else await advance(499)
        expect(reads(screen, 'Copied')).to.equal(true)
        await advance(1)
        await until(() => !reads(screen, 'Copied'), 'the words to go')
        expect([control(screen, its).textContent, said(screen)]).to.deep.equal([before, ''])
        refuses = true
        await press(control(screen, its))
        await until(() => reads(screen, 'Press and hold to copy'), 'it to say what to do')
        expect([reads(screen, 'Copied'), said(screen)]).to.deep.equal([false, 'Press and hold to copy'])
        await advance(2_000)
        await until(() => !reads(screen, 'Press and hold to copy'), 'the words to go')
      })
    })

for (const what of ['a wallet’s address', 'a recovery password'])
  it(`what copies ${what} says nothing more once its screen is gone`, async () => {
    const errors: unknown[] = []
    const real = console.error
    console.error = (...args) => void errors.push(args)
    let done = () => {}
    const { waiting } = stub(() => new Promise<void>((resolve) => (done = resolve)))
    const screen = mountIn('page')
    const its = controls[what] as Control
    await its.ask(screen)
    await press(control(screen, its))
    unmountAll()
    done()
    await painted()
    console.error = real
    expect([errors, waiting.size]).to.deep.equal([[], 0])
  })

describe('the only button of a low frame with a key', () => {
  it('says each message for two seconds, and is then the button again', async function () {
    this.timeout(limit(30_000))
    const { advance } = stub(async () => {})
    const written: string[] = []
    Object.assign(navigator.clipboard, {
      write: undefined,
      writeText: async (t: string) => void written.push(t),
    })
    const offer = {
      address,
      path: undefined,
      phrase: false,
      ended: new AbortController().signal,
      read: async () => 'the key',
      exported: () => {},
    }
    const drawn = drawCompactOffer(window, systemClock, offer)
    document.body.append(drawn)
    const button = drawn.querySelector('button') as HTMLButtonElement
    try {
      // It takes a press only once it was in sight for a while, and the browser looks for that between presses.
      for (let tries = 0; written.length === 0 && tries < 20; tries++) {
        await button.animate(null, 700).finished
        await press(button)
      }
      expect(written).to.deep.equal(['the key'])
      await until(() => button.textContent === 'Copied', 'it to say that it was copied')
      await advance(1_999)
      expect(button.textContent).to.equal('Copied')
      await advance(1)
      await until(() => button.textContent === 'Copy private key', 'the button to say what it does')
    } finally {
      drawn.remove()
    }
  })
})
