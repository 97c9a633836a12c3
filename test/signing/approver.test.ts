import { expect, test } from 'vitest'
import { createTranslate } from '../../src/copy/copy.ts'
import { defineScreen } from '../../src/dialog/screen.ts'
import { Closed, createStage } from '../../src/dialog/stage.ts'
import { KitError } from '../../src/errors/kit-error.ts'
import type { Review } from '../../src/signing/approver.ts'
import { createApprover } from '../../src/signing/create-approver.ts'
import { signingLimits } from '../../src/signing/limits.ts'
import type { WalletFlow } from '../../src/wallets/flow-context.ts'
import { settled, testClock } from '../support/clock.ts'
import { walletAccount } from '../support/embedded-kit.ts'

interface Props {
  amount: number
  preparing?: boolean
  error?: string
}
const screen = defineScreen<Props, never>('review', { view: () => null })

const contentOf = (amount: number) => ({ kind: 'message', message: `0x0${amount}` }) as const
const preparing = (amount: number): Review<Props, number, string> => ({
  state: 'preparing',
  props: { amount },
  content: contentOf(amount),
})
const ready = (amount: number) => ({
  state: 'ready' as const,
  props: { amount },
  value: amount,
  signature: { content: contentOf(amount), read: String },
})

/** The page's approver, and a vault that signs whatever it is asked. */
function setUp({
  renew,
  signs = async () => 'signed',
  isHidden = false,
}: {
  renew?: (value: number) => Promise<ReturnType<typeof ready> | undefined>
  signs?: () => Promise<string>
  isHidden?: boolean
} = {}) {
  const clock = testClock()
  const stage = createStage({ clock })
  const asked: unknown[] = []
  const told: string[] = []
  let push: (review: Review<Props, number, string>) => void = () => {}
  const queue: Review<Props, number, string>[] = []
  const cx = {
    stage,
    clock,
    t: createTranslate({}),
    config: { vault: 'compatible' },
    report: ({ code }: KitError) => told.push(code),
    wallets: {
      embedded: async () => ({
        prepare() {},
        async rpc(_: unknown, request: { params: unknown[] }) {
          asked.push(request.params[0])
          return signs()
        },
      }),
    },
  } as unknown as WalletFlow
  const decision = createApprover(cx, isHidden).review<Props, number, string>({
    wallet: walletAccount(),
    screen,
    async *previews() {
      for (;;) {
        const next =
          queue.shift() ?? (await new Promise<Review<Props, number, string>>((resolve) => (push = resolve)))
        yield next
      }
    },
    ...(renew && { renew }),
    toError: (cause) => new KitError('unable_to_sign', 'no', { cause }),
  })
  decision.catch(() => {})
  const show = async (review: Review<Props, number, string>) => {
    await settled()
    push(review)
    await settled()
  }
  const press = async (answer: unknown) => {
    stage.scene.get()?.answer(answer)
    await settled()
  }
  return { clock, stage, asked, told, decision, show, press, props: () => stage.scene.get()?.props as Props }
}

test('approver: nothing can be approved while a preview is prepared', async () => {
  const { show, press, asked, props, decision } = setUp()
  await show(preparing(1))
  expect(props()).toMatchObject({ amount: 1, preparing: true })
  await press('approve')
  expect(asked).toEqual([])
  await show(ready(2))
  expect(props()).toEqual({ amount: 2 })
  await press('approve')
  expect(await decision).toEqual({ outcome: 'approved', value: 2, signed: 'signed' })
  expect(asked).toEqual(['0x02'])
})

test('approver: a press on a preview that is replaced at that moment approves nothing', async () => {
  const { show, press, stage, asked } = setUp()
  await show(preparing(1))
  const old = stage.scene.get()
  await show(ready(2))
  old?.answer('approve')
  await settled()
  expect(asked).toEqual([])
  await press('approve')
  expect(asked).toEqual(['0x02'])
})

test('approver: a double press signs once', async () => {
  const { show, stage, asked, decision } = setUp()
  await show(ready(1))
  const scene = stage.scene.get()
  scene?.answer('approve')
  scene?.answer('approve')
  stage.scene.get()?.answer('approve')
  expect(await decision).toMatchObject({ outcome: 'approved' })
  expect(asked).toHaveLength(1)
})

test('approver: a stale preview that has changed is displayed again, and needs another press', async () => {
  const { show, press, clock, asked, props, decision } = setUp({ renew: async () => ready(3) })
  await show(ready(2))
  await clock.advance(signingLimits.previewAge)
  await press('approve')
  expect(asked).toEqual([])
  expect(props()).toEqual({ amount: 3, notice: 'renewed' })
  await press('approve')
  expect(await decision).toMatchObject({ value: 3 })
  expect(asked).toEqual(['0x03'])
})

test('approver: a stale preview that still holds is signed as it was displayed', async () => {
  const renewed: number[] = []
  const { show, press, clock, decision } = setUp({
    async renew(value) {
      renewed.push(value)
      return undefined
    },
  })
  await show(ready(2))
  await clock.advance(signingLimits.previewAge)
  await press('approve')
  expect(await decision).toMatchObject({ value: 2 })
  expect(renewed).toEqual([2])
})

test('approver: a fresh preview is not asked about again', async () => {
  const { show, press, clock, decision } = setUp({ renew: async () => ready(3) })
  await show(ready(2))
  await clock.advance(signingLimits.previewAge - 1)
  await press('approve')
  expect(await decision).toMatchObject({ value: 2 })
})

test('approver: closing while a stale preview is renewed signs nothing', async () => {
  let answer: (renewed: undefined) => void = () => {}
  const { show, press, clock, stage, asked, decision } = setUp({
    renew: () => new Promise((resolve) => (answer = resolve)),
  })
  await show(ready(2))
  await clock.advance(signingLimits.previewAge)
  await press('approve')
  stage.close()
  answer(undefined)
  await expect(decision).rejects.toBeInstanceOf(Closed)
  expect(asked).toEqual([])
})

test.each(['cancel', 'close'])('approver: %s rejects the request', async (way) => {
  const { show, press, stage, asked, decision } = setUp()
  await show(ready(1))
  if (way === 'close') stage.close()
  else await press('cancel')
  await expect(decision).rejects.toBeInstanceOf(Closed)
  expect(asked).toEqual([])
})

test('approver: an edit and a recheck approve nothing', async () => {
  const edited = setUp()
  await edited.show(ready(1))
  await edited.press({ edited: { allowance: 5n } })
  expect(await edited.decision).toEqual({ outcome: 'edited', edit: { allowance: 5n } })
  const rechecked = setUp()
  await rechecked.show(ready(1))
  await rechecked.press('recheck')
  expect(await rechecked.decision).toEqual({ outcome: 'recheck' })
  expect([...edited.asked, ...rechecked.asked]).toEqual([])
})

test('approver: a failed signature is displayed and reported once, and can be tried again', async () => {
  let fails = true
  const { show, press, told, props, decision } = setUp({
    async signs() {
      if (!fails) return 'signed'
      fails = false
      throw new Error('no')
    },
  })
  await show(ready(1))
  await press('approve')
  expect(told).toEqual(['unable_to_sign'])
  expect(props().error).toBeDefined()
  await press('approve')
  expect(await decision).toMatchObject({ outcome: 'approved' })
})

test('approver: without a screen the last preview is signed, and nothing is displayed', async () => {
  const { show, stage, asked, decision } = setUp({ isHidden: true })
  await show(preparing(1))
  expect(asked).toEqual([])
  await show(ready(2))
  expect(await decision).toEqual({ outcome: 'approved', value: 2, signed: 'signed' })
  expect(asked).toEqual(['0x02'])
  expect(stage.trace.get()).toEqual([])
})

test('approver: without a screen what has to be seen is not signed, and the host learns why', async () => {
  const { show, asked, decision } = setUp({ isHidden: true })
  await show({ ...ready(1), unseenError: new KitError('approval_required', 'look') })
  await expect(decision).rejects.toMatchObject({ code: 'approval_required' })
  expect(asked).toEqual([])
})

test('approver: with a screen what has to be seen is signed once it was approved', async () => {
  const { show, press, decision } = setUp()
  await show({ ...ready(1), unseenError: new KitError('approval_required', 'look') })
  await press('approve')
  expect(await decision).toMatchObject({ outcome: 'approved', signed: 'signed' })
})

test('approver: without a screen a failure is thrown in the host’s terms', async () => {
  const { show, decision } = setUp({ isHidden: true, signs: () => Promise.reject(new Error('no')) })
  await show(ready(1))
  await expect(decision).rejects.toMatchObject({ code: 'unable_to_sign' })
})
