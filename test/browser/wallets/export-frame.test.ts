/** A key's frame that fails, with real frames: what the person is shown, and that it ends. */
import { expect } from '@open-wc/testing'
import { addWords, createTranslate } from '../../../src/copy/copy.ts'
import { recoveryErrors } from '../../../src/copy/en/recovery-errors.ts'
import { createStage } from '../../../src/dialog/stage.ts'
import type { KitError } from '../../../src/errors/kit-error.ts'
import { type Clock, systemClock } from '../../../src/lib/clock.ts'
import { type ExportLook, exportColors } from '../../../src/protocol/frame/export.ts'
import type { EmbeddedAccount } from '../../../src/wallets/embedded/embedded-wallets.ts'
import { openExport } from '../../../src/wallets/export/export-frame.ts'
import { exportWallet } from '../../../src/wallets/export/flow.ts'
import type { KeyExportProps } from '../../../src/wallets/export/key-export.tsx'
import type { WalletFlow } from '../../../src/wallets/flow-context.ts'
import { framePage, until } from './frame-page.ts'
import { forgetNetwork, setOnline } from './network.ts'

addWords(recoveryErrors)

/** Waits are twenty times shorter. */
const clock: Clock = {
  now: () => systemClock.now() * 20,
  sleep: (ms, signal) => systemClock.sleep(ms / 20, signal),
}
const look = {
  colors: Object.fromEntries(exportColors.map((name) => [name, '#000000'])),
  width: '360px',
} as unknown as ExportLook
const say = (message: unknown) => `port.postMessage(${JSON.stringify(message)})`
const ready = say({ type: 'ready' })
const shown = say({ type: 'exported', what: 'key', how: 'shown' })
/** What a frame does with the token. */
const frames = {
  good: `${ready};${shown}`,
  'says nothing': '',
  'says what nobody understands': [7, null, [], {}, { type: 'ready?' }, { type: 'height', height: -1 }]
    .map(say)
    .join(';'),
  'is loaded anew': `${ready};location.reload()`,
  'goes elsewhere': `${ready};location.replace('about:blank')`,
  'says that it failed': say({ type: 'failed', error: { type: 'error', message: 'no' } }),
  'fails in a way that nobody knows': say({ type: 'failed', error: 7 }),
  'fails after all': `${ready};setTimeout(() => ${say({ type: 'failed', error: { type: 'novel', message: '' } })}, 50)`,
  'says that the wallet has left': say({
    type: 'failed',
    error: { type: 'wallet_not_on_device', message: '' },
  }),
  'is ready twice': `${ready};${ready};${shown}`,
  'is ready late': `setTimeout(() => { ${ready};${shown} }, 600)`,
}
type Frame = keyof typeof frames

const pageOf = (frame: Frame) => framePage('token', frames[frame])

describe('a key whose frame fails', () => {
  /** Asks for a key; the frame of each try is the next one of `tries`, and then a good one. */
  function begin(...tries: readonly Frame[]) {
    const stage = createStage({ clock })
    const reported: string[] = []
    const left = [...tries]
    let opened = 0
    let exported = false
    const props = () => stage.scene.get()?.props as Partial<KeyExportProps> | undefined
    stage.scene.subscribe(() => void props()?.frame?.mount(document.body, look))
    const cx = {
      stage,
      clock,
      t: createTranslate(),
      report: ({ code }: KitError) => void reported.push(code),
      wallets: { embedded: async () => ({ connect: async () => {} }) },
    }
    const wallet = { address: '0x12', chainType: 'ethereum', imported: false } as unknown as EmbeddedAccount
    const outcome = exportWallet(cx as unknown as WalletFlow, wallet, async (_, events, signal) => {
      opened++
      const address = pageOf(left.shift() ?? 'good')
      const noted: typeof events = {
        ...events,
        exported() {
          events.exported()
          exported = true
        },
      }
      return openExport({ url: () => address, accessToken: 'token', clock, events: noted, signal })
    })
    const untilState = (state: KeyExportProps['state']) =>
      until(() => props()?.state === state && stage.scene.get()?.busy === undefined)
    const untilExported = () => until(() => exported)
    const answer = (given: string) => stage.scene.get()?.answer(given)
    return { outcome, untilState, untilExported, answer, props, reported, opened: () => opened }
  }
  const inPage = () => document.querySelectorAll('iframe').length

  const failing: [Frame, code: string][] = [
    ['says nothing', 'vault_timeout'],
    ['says what nobody understands', 'vault_timeout'],
    ['is loaded anew', 'vault_crashed'],
    ['goes elsewhere', 'vault_crashed'],
    ['says that it failed', 'unknown_embedded_wallet_error'],
    ['fails in a way that nobody knows', 'unknown_embedded_wallet_error'],
    ['fails after all', 'unknown_embedded_wallet_error'],
  ]
  for (const [frame, code] of failing) {
    it(`because it ${frame}: Retry opens another one, which shows it`, async () => {
      const { outcome, untilState, untilExported, answer, props, reported, opened } = begin(frame)
      await untilState('failed')
      expect([props()?.error, reported, inPage()]).to.deep.equal([
        "Unable to show this wallet's key",
        [code],
        0,
      ])
      answer('retry')
      await untilState('ready')
      expect(inPage()).to.equal(1)
      await untilExported()
      answer('close')
      expect(await outcome).to.deep.equal({ exported: true })
      expect([opened(), inPage()]).to.deep.equal([2, 0])
    })

    it(`because it ${frame}: Close ends it, and nothing is left in the page`, async () => {
      const { outcome, untilState, answer } = begin(frame)
      await untilState('failed')
      answer('close')
      expect(await outcome).to.deep.equal({ exported: false })
      expect(inPage()).to.equal(0)
    })
  }

  for (const [when, lose] of [
    ['is gone before it is loaded', () => setOnline(false)],
    ['goes while it is on its way', () => void until(() => inPage() === 1).then(() => setOnline(false))],
  ] as const)
    it(`because the network ${when}: nobody waits for it, and Retry shows the key when the network is back`, async () => {
      lose()
      try {
        const { outcome, untilState, answer, reported, opened } = begin('says nothing')
        await untilState('failed')
        expect([reported, inPage()]).to.deep.equal([['network_unavailable'], 0])
        setOnline(true)
        answer('retry')
        await untilState('ready')
        answer('close')
        await outcome
        expect(opened()).to.equal(2)
      } finally {
        forgetNetwork()
      }
    })

  it('because the wallet has left this device: it is brought back, and shown', async () => {
    const { outcome, untilState, answer, reported, opened } = begin('says that the wallet has left')
    await untilState('ready')
    answer('close')
    await outcome
    expect([reported, opened(), inPage()]).to.deep.equal([[], 2, 0])
  })

  for (const frame of ['is ready twice', 'is ready late'] as const)
    it(`is shown by one that ${frame}`, async () => {
      const { outcome, untilState, untilExported, answer, reported, opened } = begin(frame)
      await untilState('ready')
      await untilExported()
      answer('close')
      expect([await outcome, reported, opened()]).to.deep.equal([{ exported: true }, [], 1])
    })
})
