/** An approval whose frame fails, with real frames: what the person is shown, and that it ends. */
import { expect } from '@open-wc/testing'
import { addWords, createTranslate } from '../../../src/copy/copy.ts'
import { errors } from '../../../src/copy/en/errors.ts'
import { Closed, createStage } from '../../../src/dialog/stage.ts'
import type { KitError } from '../../../src/errors/kit-error.ts'
import { type Clock, systemClock } from '../../../src/lib/clock.ts'
import type { ApprovalLook } from '../../../src/protocol/frame/approval.ts'
import { type ApprovalPlace, openApproval } from '../../../src/wallets/approval/approval-frame.ts'
import { approve } from '../../../src/wallets/approval/flow.ts'
import type { WalletFlow } from '../../../src/wallets/flow-context.ts'
import { framePage, until } from './frame-page.ts'
import { forgetNetwork, setOnline } from './network.ts'

addWords(errors)

/** How long this computer was asleep, in milliseconds. */
let slept = 0
/** Waits are twenty times shorter. */
const clock: Clock = {
  now: () => systemClock.now() * 20 + slept,
  sleep: (ms, signal) => systemClock.sleep(ms / 20, signal),
}
const look: ApprovalLook = {
  theme: 'light',
  dir: 'ltr',
  textScale: 1,
  radius: 1,
  drawer: false,
  closable: true,
}
const ready = `port.postMessage({ type: 'ready' })`
const done = `port.postMessage({ type: 'done', answer: { removed: true } })`
/** What a frame does once it is asked. */
const frames = {
  good: `${ready};${done}`,
  silent: '',
  'silent after it was drawn': ready,
  'loaded anew': `${ready};location.reload()`,
  'of good health': `${ready};port.onmessage = ({ data }) => data.type === 'ping' && port.postMessage({ type: 'pong' })`,
  'of another version': `${ready};port.postMessage({ type: 'done', answer: { gone: true } })`,
}
type Frame = keyof typeof frames

const pageOf = (frame: Frame) => framePage('open', frames[frame])

describe('an approval whose frame fails', () => {
  /** Asks for the removal of a device; the frame of each try is the next one of `tries`. */
  function begin(...tries: readonly Frame[]) {
    const stage = createStage({ clock })
    const reported: string[] = []
    const screens: string[] = []
    const left = [...tries]
    const opened = () => tries.length - left.length
    stage.scene.subscribe(() => {
      const scene = stage.scene.get()
      if (!scene || scene.busy !== undefined) return
      screens.push(scene.screen.id)
      const { place } = scene.props as { place?: ApprovalPlace }
      place?.mount(document.body, look, () => {})
    })
    const report = ({ code }: KitError) => void reported.push(code)
    const open = () =>
      openApproval({
        url: pageOf(left.shift() ?? 'good'),
        purpose: 'remove-device',
        clock,
        shown: report,
        accessToken: async () => 'token',
        mfa: { passkey: () => Promise.reject(new Error('No passkey')), verifying() {}, ended() {} },
      })
    const cx = { stage, clock, report, t: createTranslate(), wallets: { approving: async () => ({ open }) } }
    const outcome = approve(cx as unknown as WalletFlow, 'remove', 'remove-device', async (show) =>
      show({ id: 'one' }),
    ).then(
      ({ answer }) => answer,
      (cause: unknown) => cause as Error,
    )
    async function answer(given: string): Promise<void> {
      await until(() => stage.scene.get()?.screen.id === 'failure' && stage.scene.get()?.busy === undefined)
      stage.scene.get()?.answer(given)
    }
    return { outcome, answer, reported, screens, opened, stage }
  }
  const inPage = () => document.querySelectorAll('iframe').length

  for (const [frame, code] of [
    ['silent', 'vault_timeout'],
    ['silent after it was drawn', 'vault_crashed'],
    ['loaded anew', 'vault_crashed'],
  ] as const) {
    it(`because it is ${frame}: Retry opens another one, which does it`, async () => {
      const { outcome, answer, reported, screens, opened } = begin(frame, frame, 'good')
      await answer('retry')
      await answer('retry')
      expect(await outcome).to.deep.equal({ removed: true })
      expect(screens).to.deep.equal(['remove', 'failure', 'remove', 'failure', 'remove'])
      expect(reported).to.deep.equal([code, code])
      expect([opened(), inPage()]).to.deep.equal([3, 0])
    })

    it(`because it is ${frame}: whoever doesn’t want to try again has said no`, async () => {
      const { outcome, answer, opened } = begin(frame, 'good')
      await answer('close')
      expect(await outcome).to.be.instanceOf(Closed)
      expect([opened(), inPage()]).to.deep.equal([1, 0])
    })
  }

  describe('without a network', () => {
    afterEach(forgetNetwork)
    const titleOn = ({ scene }: ReturnType<typeof begin>['stage']) =>
      (scene.get()?.props as { title?: string } | undefined)?.title

    it('is not waited for: the person is told at once, and Retry opens it when the network is back', async () => {
      setOnline(false)
      const { outcome, answer, reported, screens, stage } = begin('silent', 'good')
      await until(() => stage.scene.get()?.screen.id === 'failure')
      expect([titleOn(stage), inPage()]).to.deep.equal(['You seem to be offline', 0])
      setOnline(true)
      await answer('retry')
      expect(await outcome).to.deep.equal({ removed: true })
      expect(screens).to.deep.equal(['remove', 'failure', 'remove'])
      expect(reported).to.deep.equal(['network_unavailable'])
    })

    it('that went while the frame was on its way is not waited for either', async () => {
      const { outcome, answer, stage } = begin('silent', 'good')
      await until(() => inPage() === 1)
      setOnline(false)
      await until(() => stage.scene.get()?.screen.id === 'failure')
      expect(titleOn(stage)).to.equal('You seem to be offline')
      setOnline(true)
      await answer('retry')
      expect(await outcome).to.deep.equal({ removed: true })
    })

    it('is no end of what the person is reading already', async () => {
      const { stage, outcome } = begin('silent after it was drawn')
      const place = () => (stage.scene.get()?.props as { place?: ApprovalPlace } | undefined)?.place
      await until(() => place()?.height.get() !== undefined)
      const other = begin('silent')
      await until(() => inPage() === 2)
      setOnline(false)
      // A frame that was still on its way hears of it in the same moment.
      await until(() => other.stage.scene.get()?.screen.id === 'failure')
      other.stage.close()
      await other.outcome
      expect([stage.scene.get()?.screen.id, inPage()]).to.deep.equal(['remove', 1])
      stage.close()
      expect(await outcome).to.be.instanceOf(Closed)
    })
  })

  it('is none that a computer which was asleep believes to be dead', async () => {
    const { stage, outcome } = begin('of good health')
    const place = () => (stage.scene.get()?.props as { place?: ApprovalPlace } | undefined)?.place
    await until(() => place()?.height.get() !== undefined)
    for (let night = 0; night < 5; night++) {
      slept += 30_000_000
      await clock.sleep(3_000)
    }
    expect([stage.scene.get()?.screen.id, inPage()]).to.deep.equal(['remove', 1])
    stage.close()
    expect(await outcome).to.be.instanceOf(Closed)
  })

  it('with an answer that nobody can read ends, and is not asked again', async () => {
    const { outcome, opened } = begin('of another version', 'good')
    expect((await outcome) as KitError).to.have.property('code', 'malformed_response')
    expect([opened(), inPage()]).to.deep.equal([1, 0])
  })

  it('ends at once when the dialog is closed meanwhile', async () => {
    const { outcome, stage } = begin('silent')
    stage.close()
    expect(await outcome).to.be.instanceOf(Closed)
    expect(inPage()).to.equal(0)
  })
})
