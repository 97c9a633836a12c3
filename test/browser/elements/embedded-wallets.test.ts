import { expect } from '@open-wc/testing'
import type { SurfaceElement } from '../../../elements/base/surface.ts'
import { embedded, fakeKit } from './support/fake-kit.ts'
import { clear, headingOf, pressOn, record, until } from './support/page.ts'

interface Case {
  readonly tag: 'wallet-create' | 'wallet-recovery' | 'wallet-export'
  readonly intent: string
  /** Calls the element's method. */
  ask(element: HTMLElement): Promise<unknown>
  readonly gives: unknown
  /** The element's own event, where it has one. */
  readonly tells?: readonly [string, object]
  readonly exit: string
}
const cases: readonly Case[] = [
  {
    tag: 'wallet-create',
    intent: 'create',
    ask: (element) => (element as HTMLElementTagNameMap['wallet-create']).create({ chainType: 'solana' }),
    gives: embedded,
    tells: ['lk-wallet', { wallet: embedded }],
    exit: 'embedded_wallet_create_error',
  },
  {
    tag: 'wallet-recovery',
    intent: 'recovery',
    ask: (element) => (element as HTMLElementTagNameMap['wallet-recovery']).setRecovery(),
    gives: 'user-passcode',
    tells: ['lk-recovery', { method: 'user-passcode', wallet: embedded }],
    exit: 'user_exited_set_password_flow',
  },
  {
    tag: 'wallet-export',
    intent: 'export',
    ask: (element) => (element as HTMLElementTagNameMap['wallet-export']).export(),
    gives: undefined,
    exit: 'unknown_embedded_wallet_error',
  },
]

function place(tag: Case['tag']) {
  const kit = fakeKit()
  const element = document.createElement(tag)
  element.kit = kit
  document.body.append(element)
  return { element: element as SurfaceElement & HTMLElement, kit }
}
async function pressThrough(element: SurfaceElement) {
  await until(() => element.open)
  await pressOn(element, '#next')
  await until(() => headingOf(element) === 'Second screen')
  await pressOn(element, '#done')
}
const codeOf = (work: Promise<unknown>) => work.catch((error: { code: string }) => error.code)

for (const { tag, intent, ask, gives, tells, exit } of cases)
  describe(`<${tag}>`, () => {
    afterEach(clear)

    it('does what its method says, in its own dialog, and tells the page', async () => {
      const { element } = place(tag)
      const seen = record(element, 'lk-open', 'lk-wallet', 'lk-recovery', 'lk-close')
      const asked = ask(element)
      await pressThrough(element)
      expect(await asked).to.deep.equal(gives)
      await until(() => seen.some(({ name }) => name === 'lk-close'))
      expect(seen.map(({ name, event }) => [name, event.detail])).to.deep.equal([
        ['lk-open', { intent }],
        ...(tells ? [tells] : []),
        ['lk-close', { completed: true }],
      ])
    })

    it('opens by its attribute, too', async () => {
      const { element, kit } = place(tag)
      element.open = true
      await until(() => kit.isModalOpen)
      await pressThrough(element)
      await until(() => !element.open)
    })

    it('is busy while it is open: a second call is refused, and the first continues', async () => {
      const { element } = place(tag)
      const asked = ask(element)
      await until(() => element.open)
      expect(await codeOf(ask(element))).to.equal('flow_in_progress')
      await pressThrough(element)
      expect(await asked).to.deep.equal(gives)
    })

    it('closing it rejects with a code of its own', async () => {
      const { element } = place(tag)
      const code = codeOf(ask(element))
      await until(() => element.open)
      element.close()
      expect(await code).to.equal(exit)
    })
  })
