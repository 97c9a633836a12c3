/** Presses on a frame that the page around it moves under a pointer, with a real pointer. */
import { expect } from '@open-wc/testing'
import { sendMouse } from '@web/test-runner-commands'
import { createStore } from '../../../src/lib/store.ts'
import { createGuard, type Guard, type Refusal } from '../../../src/vault/approval/guard.ts'
import { until } from '../screens/mount.tsx'

const elsewhere: [number, number] = [700, 20]
/** Where the button lies once the frame is at its usual place. */
const onButton: [number, number] = [240, 500]
const pause = (duration: number) => new Promise((resolve) => setTimeout(resolve, duration))

interface Framed {
  readonly frame: HTMLIFrameElement
  readonly guard: Guard
  /** Why each click so far did not count. */
  readonly verdicts: (Refusal | 'counts')[]
}
let end = () => {}

async function framed(style: Partial<CSSStyleDeclaration> = {}): Promise<Framed> {
  const frame = document.createElement('iframe')
  frame.style.cssText = 'position:fixed;left:40px;top:10px;width:400px;height:560px;border:0;background:#fff'
  Object.assign(frame.style, style)
  frame.srcdoc = '<!doctype html><body style="margin:0">'
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
  document.body.append(frame)
  await loaded
  const inside = frame.contentWindow
  if (!inside) throw new Error('There is no frame')
  const host = inside.document.createElement('div')
  host.style.cssText = 'position:fixed;inset:0;background:#fff'
  inside.document.body.append(host)
  const root = host.attachShadow({ mode: 'open' })
  root.innerHTML =
    '<button style="position:fixed;left:20px;bottom:20px;width:360px;height:100px">Sign</button>'
  const guard = createGuard(inside, {
    target: host,
    root,
    place: 'frame',
    look: createStore({ textScale: 1 }),
  })
  const verdicts: Framed['verdicts'] = []
  root.querySelector('button')?.addEventListener('click', () => verdicts.push(guard.refusal() ?? 'counts'))
  end = () => {
    guard.stop()
    frame.remove()
  }
  return { frame, guard, verdicts }
}
const untilLive = ({ guard }: Framed) => until(() => guard.hold.get() === undefined, 'a press would count')
const move = (position: [number, number]) => sendMouse({ type: 'move', position })
async function click() {
  await sendMouse({ type: 'down' })
  await sendMouse({ type: 'up' })
}
const heard = ({ verdicts }: Framed, clicks: number) =>
  until(() => verdicts.length === clicks, 'the frame has heard of the click')

describe('a press on the vault’s frame', () => {
  beforeEach(() => move(elsewhere))
  afterEach(() => {
    end()
    scrollTo(0, 0)
    document.body.removeAttribute('style')
  })

  it('counts once the pointer has been in the frame for a second', async () => {
    const one = await framed()
    await untilLive(one)
    await move(onButton)
    await until(() => one.guard.hold.get() === 'early', 'the pointer is new')
    await untilLive(one)
    await click()
    await heard(one, 1)
    expect(one.verdicts).to.deep.equal(['counts'])
  })

  it('does not count right after the pointer has come, and counts a second later', async () => {
    const one = await framed()
    await untilLive(one)
    await move(onButton)
    await click()
    await heard(one, 1)
    await untilLive(one)
    await click()
    await heard(one, 2)
    expect(one.verdicts).to.deep.equal(['early', 'counts'])
  })

  /** Where the frame waits, and how the page brings it under the pointer. */
  const ways: Record<string, [Partial<CSSStyleDeclaration>, (frame: HTMLIFrameElement) => void]> = {
    'by its left side': [
      { left: '300px' },
      ({ style }) => {
        style.left = '40px'
      },
    ],
    'by its top': [
      { height: '330px', top: '20px' },
      ({ style }) => {
        style.top = '190px'
      },
    ],
    'by a transform': [
      { transform: 'translate(260px, 0)' },
      ({ style }) => {
        style.transform = 'none'
      },
    ],
    'by a scroll of the page': [{ position: 'absolute', left: '300px' }, () => scrollTo(260, 0)],
  }
  for (const [how, [style, bring]] of Object.entries(ways))
    for (const after of [0, 700])
      it(`does not count ${after} ms after the frame was moved under a pointer that has never been in it, ${how}`, async () => {
        document.body.style.cssText = 'width:3000px;height:3000px'
        const one = await framed(style)
        await move([100, 460])
        await untilLive(one)
        bring(one.frame)
        await pause(after)
        await click()
        await heard(one, 1)
        expect(one.verdicts).to.deep.equal(['early'])
      })

  it('does not count if the frame was away while the pointer has left it, and comes back under it', async () => {
    const one = await framed()
    await move(onButton)
    await untilLive(one)
    one.frame.style.left = '300px'
    await move([100, 500])
    await untilLive(one)
    one.frame.style.left = '40px'
    await click()
    await heard(one, 1)
    expect(one.verdicts).to.deep.equal(['early'])
  })

  it('does not count if the frame was moved while the pointer moved in it', async () => {
    const one = await framed()
    await move([240, 300])
    await untilLive(one)
    one.frame.style.top = '-10px'
    one.frame.style.left = '100px'
    await move([241, 500])
    await click()
    await heard(one, 1)
    expect(one.verdicts).to.deep.equal(['early'])
  })

  it('counts while the pointer moves about in a frame that stays', async () => {
    const one = await framed()
    await move([240, 100])
    await untilLive(one)
    for (const y of [140, 260, 300, 420, 480]) await move([200 + y / 10, y])
    await move(onButton)
    await click()
    await heard(one, 1)
    expect(one.verdicts).to.deep.equal(['counts'])
  })
})
