/** A screen that still loads, such as a frame of the vault: the one before it stays in sight, and takes no press. */
import { expect } from '@open-wc/testing'
import { useLayoutEffect, useSyncExternalStore } from 'react'
import { defineScreen } from '../../../src/dialog/screen.ts'
import { createStore, type Readable } from '../../../src/lib/store.ts'
import { usePanel } from '../../../src/ui/panel/panel-context.tsx'
import { approvalScreen } from '../../../src/wallets/approval/approval.tsx'
import { holdTimers } from '../timers.ts'
import { type Mounted, mount, painted, unmountAll, until } from './mount.tsx'

const finished = defineScreen<object, 'press'>('finished', {
  size: 'compact',
  view: ({ answer }) => (
    <button type="button" onClick={() => answer('press')}>
      First request
    </button>
  ),
})
const loading = defineScreen<{ drawn: Readable<boolean> }, 'press'>('loading', {
  view: function Loading({ drawn, answer }) {
    const { keepPrevious } = usePanel()
    const isDrawn = useSyncExternalStore(drawn.subscribe, drawn.get)
    useLayoutEffect(() => (isDrawn ? undefined : keepPrevious?.()), [isDrawn, keepPrevious])
    return (
      <button type="button" onClick={() => answer('press')}>
        Second request
      </button>
    )
  },
})

/** A button by its words, in whichever layer it stands. */
const find = ({ root }: Mounted, words: string) =>
  [...root.querySelectorAll('button')].find(({ textContent }) => textContent === words)
const layerOf = (screen: Mounted, words: string) => find(screen, words)?.closest('[data-layer]')
const opacityOf = (screen: Mounted, words: string) => {
  const layer = layerOf(screen, words)
  return layer ? getComputedStyle(layer).opacity : undefined
}
const heightOf = ({ root }: Mounted) =>
  getComputedStyle(root.querySelector('[part=dialog]') as Element).getPropertyValue('--_height')

describe('a screen that still loads', () => {
  let timers: ReturnType<typeof holdTimers> | undefined
  afterEach(() => {
    timers?.end()
    timers = undefined
    unmountAll()
  })

  async function show(drawn: Readable<boolean>) {
    const screen = mount()
    screen.stage.setPosition({ position: 1, count: 2 })
    await screen.ask(finished, {})
    const height = heightOf(screen)
    timers = holdTimers()
    screen.stage.setPosition({ position: 2, count: 2 })
    await screen.ask(loading, { drawn })
    return { screen, height }
  }

  it('leaves the screen before it in sight, inert, at its height and with its place in the queue, until it is drawn', async () => {
    const drawn = createStore(false)
    const { screen, height } = await show(drawn)
    expect(opacityOf(screen, 'First request')).to.equal('1')
    expect(opacityOf(screen, 'Second request')).to.equal('0')
    expect(layerOf(screen, 'First request')?.hasAttribute('inert')).to.equal(true)
    expect(getComputedStyle(layerOf(screen, 'Second request') as Element).pointerEvents).to.equal('none')
    expect(heightOf(screen)).to.equal(height)
    expect(screen.root.querySelector('[part=header]')?.textContent).to.equal('1 of 2')

    timers?.end()
    drawn.set(true)
    await until(() => find(screen, 'First request') === undefined, 'the first request has left')
    await until(() => opacityOf(screen, 'Second request') === '1', 'the second request is in sight')
    expect(heightOf(screen)).to.not.equal(height)
    expect(screen.root.querySelector('[part=header]')?.textContent).to.equal('2 of 2')
  })

  it('that is a frame of the vault takes the place of the screen before it once it is drawn, at its own height', async () => {
    const height = createStore<number | undefined>(undefined)
    const frame = document.createElement('iframe')
    const screen = mount()
    await screen.ask(finished, {})
    const before = heightOf(screen)
    timers = holdTimers()
    await screen.ask(approvalScreen('sign-message'), {
      place: {
        height,
        isFinishing: () => false,
        mount: (into) => {
          into.append(frame)
          return () => frame.remove()
        },
        restyle() {},
      },
    })
    const layer = frame.closest('[data-layer]') as Element
    expect(getComputedStyle(layer).opacity).to.equal('0')
    expect(opacityOf(screen, 'First request')).to.equal('1')
    expect(heightOf(screen)).to.equal(before)

    timers.end()
    timers = undefined
    height.set(333)
    await until(() => find(screen, 'First request') === undefined, 'the first request has left')
    await until(() => getComputedStyle(layer).opacity === '1', 'the frame is in sight')
    expect(heightOf(screen)).to.equal('333px')
    expect(screen.root.querySelector('[part=header]')).to.equal(null)
  })

  it('is shown loading once it takes longer than the limit', async () => {
    const { screen } = await show(createStore(false))
    expect(find(screen, 'First request')).to.not.equal(undefined)
    timers?.end()
    timers = undefined
    await until(() => find(screen, 'First request') === undefined, 'the first request has left')
    await until(() => opacityOf(screen, 'Second request') === '1', 'the loading is in sight')
  })

  it('that nobody has seen is left out when another screen follows it', async () => {
    const { screen } = await show(createStore(false))
    const third = defineScreen<object, never>('third', { view: () => <p>Third</p> })
    await screen.ask(third, {})
    await painted()
    expect(find(screen, 'Second request')).to.equal(undefined)
    expect(layerOf(screen, 'First request')?.hasAttribute('inert')).to.equal(true)
    timers?.end()
    timers = undefined
    await until(() => find(screen, 'First request') === undefined, 'the first request has left')
  })
})
