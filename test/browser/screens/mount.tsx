import { useEffect, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { addWords, createTranslate } from '../../../src/copy/copy.ts'
import { en } from '../../../src/copy/en/index.ts'
import { SceneView } from '../../../src/dialog/scene-view.tsx'
import type { Screen } from '../../../src/dialog/screen.ts'
import { createStage, type StageControl } from '../../../src/dialog/stage.ts'
import { Dialog } from '../../../src/ui/panel/dialog.tsx'
import { WordsProvider } from '../../../src/ui/text/words.tsx'
import { Shadow } from '../../../styles/shadow.tsx'

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

/** A dialog with a stage in a shadow root of its own, in the page of the test. */
export function mount({
  theme = 'light',
  inline = false,
}: {
  theme?: 'light' | 'dark'
  inline?: boolean
} = {}): Mounted {
  const host = document.createElement('div')
  document.body.append(host)
  const root = host.attachShadow({ mode: 'open' })
  const react = createRoot(root)
  const stage = createStage()
  const answers: unknown[] = []
  const closeRequests: string[] = []
  let drawn: unknown
  ends.push(() => {
    react.unmount()
    host.remove()
  })

  react.render(
    <Shadow root={root} theme={theme}>
      <WordsProvider t={t}>
        <Surface
          stage={stage}
          inline={inline}
          closing={(reason) => closeRequests.push(reason)}
          drawn={(scene) => {
            drawn = scene
          }}
        />
      </WordsProvider>
    </Shadow>,
  )
  const mounted: Mounted = {
    root,
    stage,
    answers,
    closeRequests,
    async ask(screen, props) {
      stage.ask(screen, props).then(
        (answer) => answers.push(answer),
        () => {},
      )
      // On a busy machine React may draw it some frames later.
      await until(() => drawn === stage.scene.get(), 'the screen is drawn')
      await painted()
    },
    find<E extends Element>(selector: string) {
      const found = root.querySelector<E>(`[data-layer]:not([inert]) ${selector}, [part=header] ${selector}`)
      if (!found) throw new Error(`There is no ${selector}`)
      return found
    },
    all: (selector) =>
      [...root.querySelectorAll<HTMLElement>(selector)].filter((el) => !el.closest('[inert]')),
    focuses: (selector) => root.activeElement === mounted.find(selector),
  }
  return mounted
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
    <Dialog closable={scene.screen.closable(scene.props)} titleId="title" onCloseRequest={closing}>
      {view}
    </Dialog>
  )
}

/** After React has drawn and its effects have run. */
export const painted = () =>
  new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(() => setTimeout(resolve))))

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Waits until something is so, for at most two seconds. */
export async function until(so: () => unknown, what: string) {
  const end = performance.now() + 2_000
  while (!so()) {
    if (performance.now() > end) throw new Error(`Waited in vain: ${what}`)
    await pause(10)
  }
}

/** Types into an input as a browser does: the value, then the event. */
export function type(input: HTMLInputElement, value: string) {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {}
  set?.call(input, value)
  input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, inputType: 'insertText' }))
}
