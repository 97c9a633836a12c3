import '../../../src/signing/index.ts'
import { expect, test } from 'vitest'
import { createTranslate } from '../../../src/copy/copy.ts'
import { Closed, createStage } from '../../../src/dialog/stage.ts'
import { KitError } from '../../../src/errors/kit-error.ts'
import { createStore } from '../../../src/lib/store.ts'
import type { Approval } from '../../../src/wallets/approval/approval-frame.ts'
import { approve } from '../../../src/wallets/approval/flow.ts'
import type { WalletFlow } from '../../../src/wallets/flow-context.ts'
import { settled } from '../../support/clock.ts'

const notLoaded = () => new KitError('network_unavailable', 'Part of the dialog could not be loaded')

/** Asks for an approval, of which everything but the vault's frame is real: `load` brings it, or fails. */
function approving(
  load: () => Promise<void>,
  answer: Promise<{ signed: string }> = Promise.resolve({ signed: '0x5167' }),
) {
  const stage = createStage()
  const place: Approval<'sign'> = {
    height: createStore(undefined),
    mount: () => () => {},
    restyle: () => {},
    show: () => {},
    answer,
    turn: () => new Promise(() => {}),
    settled: () => undefined,
    isFinishing: () => false,
    ask: () => Promise.reject(new Error('nothing more is asked')),
    gone: new AbortController().signal,
    close: () => {},
  }
  const errors: string[] = []
  const cx = {
    stage,
    t: createTranslate(),
    report: ({ code }: KitError) => void errors.push(code),
    wallets: { approving: () => load().then(() => ({ open: () => place })) },
  } as unknown as WalletFlow
  const outcome = approve(cx, 'sign-message', 'sign', async () => 'prepared')
  return { stage, errors, outcome }
}

const failureOn = async (stage: ReturnType<typeof createStage>) => {
  await settled()
  const scene = stage.scene.get()
  expect(scene).toMatchObject({
    screen: { id: 'failure' },
    props: { title: "That didn't load", action: 'retry', back: true },
  })
  return scene
}

test('an approval whose part of the page doesn’t load is a screen with another try', async () => {
  let isGone = true
  const { stage, errors, outcome } = approving(async () => {
    if (isGone) throw notLoaded()
  })
  const scene = await failureOn(stage)
  isGone = false
  scene?.answer('retry')
  expect(await outcome).toEqual({ prepared: 'prepared', answer: { signed: '0x5167' } })
  expect(errors).toEqual(['network_unavailable'])
})

test('going back from there ends it as the person’s own decision', async () => {
  const { stage, outcome } = approving(() => Promise.reject(notLoaded()))
  const ended = expect(outcome).rejects.toBeInstanceOf(Closed)
  ;(await failureOn(stage))?.answer('back')
  await ended
})

test('nobody has to close the dialog for a frame that can’t be reached: they may turn back', async () => {
  const { stage, outcome } = approving(
    async () => {},
    Promise.reject(new KitError('vault_timeout', 'Cannot connect to wallet proxy')),
  )
  const ended = expect(outcome).rejects.toBeInstanceOf(Closed)
  await settled()
  const scene = stage.scene.get()
  expect(scene).toMatchObject({ screen: { id: 'failure' }, props: { action: 'retry', back: true } })
  scene?.answer('back')
  await ended
  expect(stage.signal.aborted).toBe(false)
})
