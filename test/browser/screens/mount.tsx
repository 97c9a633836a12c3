import { sendKeys, sendMouse } from '@web/test-runner-commands'
import { useEffect, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { addWords, createTranslate } from '../../../src/copy/copy.ts'
import { en } from '../../../src/copy/en/index.ts'
import { isClosable } from '../../../src/dialog/closable.ts'
import { SceneView } from '../../../src/dialog/scene-view.tsx'
import type { Screen } from '../../../src/dialog/screen.ts'
import { createStage, type StageControl } from '../../../src/dialog/stage.ts'
import { createStore } from '../../../src/lib/store.ts'
import type { ApprovalLook } from '../../../src/protocol/frame/approval.ts'
import { Dialog } from '../../../src/ui/panel/dialog.tsx'
import { WordsProvider } from '../../../src/ui/text/words.tsx'
import { drawSurface } from '../../../src/vault/approval/surface.tsx'
import { Shadow } from '../../../styles/shadow.tsx'
import { limit } from '../../support/limit.ts'

export interface Mounted {
  root: ShadowRoot
  stage: StageControl
  /** All that was answered, in order. */
  answers: unknown[]
  /** Asks a screen, as a flow does. */
  ask<P extends object, A>(screen: Screen<P, A>, props: P): Promise<void>
  closeRequests: string[]
  find<E extends Element = HTMLElement>(selector: string): E
  all(selector: string): HTMLElement[]
  /** Whether it has the focus. A boolean, because a test runner that prints an element never comes back. */
  focuses(selector: string): boolean
}

addWords(en)
const t = createTranslate()
const ends: (() => void)[] = []

/** Takes everything off the page again. */
export function unmountAll() {
  for (const end of ends.splice(0)) end()
}

/** Where screens are drawn: in a dialog of the page, or in a page of the vault's own, which takes nothing that a script has done. */
export type Place = 'page' | 'vault'
export const places: readonly Place[] = ['page', 'vault']

const plain: ApprovalLook = {
  theme: 'light',
  dir: 'ltr',
  textScale: 1,
  radius: 1,
  drawer: false,
  closable: true,
}

/**
 * A page of the vault's own with a stage, in the place of everything else in the page of the test.
 * @param guarded whether a press has to be meant for what is in view
 */
export function mountVault(
  look: Partial<ApprovalLook> = {},
  guarded = false,
  place: 'frame' | 'window' = 'window',
): Mounted {
  const stage = createStage()
  const closeRequests: string[] = []
  const end = drawSurface(window, {
    scene: stage.scene,
    look: createStore({ ...plain, ...look }),
    t,
    place,
    guarded,
    close: (by) => closeRequests.push(by),
  })
  ends.push(end)
  const root = document.querySelector('[data-approval]')?.shadowRoot
  if (!root) throw new Error('The vault draws nothing')
  return mounted({ root, stage, closeRequests }, async () => {
    await until(() => root.querySelector('[data-layer]'), 'the screen is drawn')
    await painted()
  })
}

/** The same screen in either place. */
export const mountIn = (
  place: Place,
  look: Pick<Partial<ApprovalLook>, 'dir' | 'textScale'> = {},
): Mounted => (place === 'vault' ? mountVault(look) : mount(look))

/** What is wider than the panel, or than the control in which it stands. */
export function tooWide({ root, all }: Mounted): string[] {
  const layer = root.querySelector('[data-layer]:not([inert])')
  const panel = layer?.getBoundingClientRect() ?? new DOMRect()
  const named = (el: Element) => `${el.localName} ${el.textContent?.slice(0, 30)}`
  return all('[data-layer] :is(input,button,label,p,h2,li,[part=code-box],[data-value])')
    .filter((el) => {
      const { left, right, width } = el.getBoundingClientRect()
      const isHidden = width <= 1 || getComputedStyle(el).clipPath !== 'none'
      return (
        !isHidden &&
        (left < panel.left - 1 ||
          right > panel.right + 1 ||
          (el.textContent && el.scrollWidth > el.clientWidth + 1))
      )
    })
    .map(named)
}

/** A dialog with a stage in a shadow root of its own, in the page of the test. */
export function mount({
  theme = 'light',
  inline = false,
  dir = 'ltr',
  textScale = 1,
}: {
  theme?: 'light' | 'dark'
  inline?: boolean
  dir?: 'ltr' | 'rtl'
  textScale?: number
} = {}): Mounted & { setTheme(theme: 'light' | 'dark'): void } {
  const host = document.createElement('div')
  host.style.setProperty('--lk-text-scale', String(textScale))
  document.body.append(host)
  const root = host.attachShadow({ mode: 'open' })
  const react = createRoot(root)
  const stage = createStage()
  const closeRequests: string[] = []
  let drawn: unknown
  ends.push(() => {
    react.unmount()
    host.remove()
  })

  const draw = (theme: 'light' | 'dark') =>
    react.render(
      <Shadow root={root} theme={theme}>
        <WordsProvider t={t}>
          <div dir={dir}>
            <Surface
              stage={stage}
              inline={inline}
              closing={(reason) => closeRequests.push(reason)}
              drawn={(scene) => {
                drawn = scene
              }}
            />
          </div>
        </WordsProvider>
      </Shadow>,
    )
  draw(theme)
  // On a busy machine React may draw it some frames later.
  const untilDrawn = () => until(() => drawn === stage.scene.get(), 'the screen is drawn')
  return {
    ...mounted({ root, stage, closeRequests }, untilDrawn),
    setTheme: (next) => flushSync(() => draw(next)),
  }
}

function mounted(
  { root, stage, closeRequests }: Pick<Mounted, 'root' | 'stage' | 'closeRequests'>,
  drawn: () => Promise<void>,
): Mounted {
  const answers: unknown[] = []
  const self: Mounted = {
    root,
    stage,
    answers,
    closeRequests,
    async ask(screen, props) {
      stage.ask(screen, props).then(
        (answer) => answers.push(answer),
        () => {},
      )
      await drawn()
      await painted()
    },
    find<E extends Element>(selector: string) {
      const found = root.querySelector<E>(`[data-layer]:not([inert]) ${selector}, [part=header] ${selector}`)
      if (!found) throw new Error(`There is no ${selector}`)
      return found
    },
    all: (selector) =>
      [...root.querySelectorAll<HTMLElement>(selector)].filter((el) => !el.closest('[inert]')),
    focuses: (selector) => root.activeElement === self.find(selector),
  }
  return self
}

interface SurfaceProps {
  stage: StageControl
  inline: boolean
  closing(reason: string): void
  drawn(scene: unknown): void
}
function Surface({ stage, inline, closing, drawn }: SurfaceProps) {
  const scene = useSyncExternalStore(stage.scene.subscribe, stage.scene.get)
  useEffect(() => drawn(scene))
  if (!scene) return null
  const view = <SceneView scene={scene} inline={inline} titleId="title" onClose={() => closing('button')} />
  if (inline) return view
  return (
    <Dialog closable={isClosable(scene)} titleId="title" onCloseRequest={closing}>
      {view}
    </Dialog>
  )
}

/** After React has drawn and its effects have run. */
export const painted = () =>
  new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(() => setTimeout(resolve))))

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Waits until something is so. */
export async function until(so: () => unknown, what: string, patience = 25_000) {
  const end = performance.now() + limit(patience)
  while (!so()) {
    if (performance.now() > end) throw new Error(`Waited in vain: ${what}`)
    await pause(10)
  }
}

/** Clicks where something is, as a person does once it takes clicks. */
export async function press(target: Element | undefined) {
  if (!target) throw new Error('There is nothing to press')
  await until(() => !target.closest('[data-arriving]'), 'the screen takes presses')
  target.scrollIntoView({ block: 'nearest' })
  const { x, y, width, height } = target.getBoundingClientRect()
  await sendMouse({
    type: 'click',
    position: [Math.round(x + width / 2), Math.round(y + height / 2)],
  })
  await painted()
}

/** Presses a key as a person does, wherever the focus is. */
export async function pressKey(key: string) {
  await sendKeys({ press: key })
  await painted()
}

/** Types a text as a person does, wherever the focus is. */
export async function typeText(text: string) {
  await sendKeys({ type: text })
  await painted()
}

/** Puts a text in place of what an input has, in one step, as a person who pastes and a password manager do. */
export function write(input: HTMLInputElement, value: string) {
  input.focus()
  input.select()
  if (value) document.execCommand('insertText', false, value)
  else document.execCommand('delete')
}

/** Types into an input as a script of the page does: the value, then the event. */
export function type(input: HTMLInputElement, value: string) {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {}
  set?.call(input, value)
  input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, inputType: 'insertText' }))
}
