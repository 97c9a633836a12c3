import type { CSSObject } from '@emotion/react'
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { panel } from '../../../styles/scale.ts'
import { Shadow } from '../../../styles/shadow.tsx'
import { shadow } from '../../../styles/tokens.ts'
import type { Translate } from '../../copy/copy.ts'
import { isClosable } from '../../dialog/closable.ts'
import { SceneView } from '../../dialog/scene-view.tsx'
import type { Scene } from '../../dialog/stage.ts'
import { createStore, type Readable } from '../../lib/store.ts'
import type { ApprovalLook } from '../../protocol/frame/approval.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { type Holding, HoldingContext } from '../../ui/panel/hold.ts'
import { firstFocusIn } from '../../ui/panel/use-arrival-focus.ts'
import { WordsProvider } from '../../ui/text/words.tsx'
import { vaultLimits } from '../limits.ts'
import { createGuard, type Guard, type Refusal } from './guard.ts'
import { legibleScale } from './room.ts'
import { followedColours, followedFont } from './theme.ts'

export interface SurfaceOptions {
  readonly scene: Readable<Scene | undefined>
  readonly look: Readable<ApprovalLook>
  readonly t: Translate
  readonly place: 'frame' | 'window'
  /** An answer counts only if the person can have seen what it answers. */
  readonly guarded: boolean
  /** The first screen can be seen, and wants this height, in CSS pixels. Called again when that changes. */
  drawn?(height: number): void
  /** The person wants to leave; without it there is no way to do so. */
  close?(by: 'button' | 'escape'): void
}

/** Answers that approve nothing: a person may always leave, and hide what is shown. */
const leaving: ReadonlySet<unknown> = new Set(['cancel', 'back', 'close', 'hide', 'taken', 'not-now'])

const heights = { full: panel.full, compact: panel.compact } as const

const sheet = `
html, body { margin: 0; height: 100%; overflow: hidden; background: Canvas; }
[data-drawer], [data-drawer] body { background: none; }
[data-approval] { display: block; position: fixed; inset: 0; max-inline-size: 440px; margin-inline: auto; }
`

/** Draws what a stage shows in the whole of the vault's own page. Returns the function that takes it away. */
export function drawSurface(window: Window, options: SurfaceOptions): () => void {
  const { document } = window
  const host = document.createElement('div')
  host.setAttribute('data-approval', '')
  const css = new CSSStyleSheet()
  css.replaceSync(sheet)
  document.adoptedStyleSheets = [css]
  document.body.replaceChildren(host)
  const root = host.attachShadow({ mode: 'open' })
  const guard = createGuard(window, { target: host, root, place: options.place, look: options.look })
  const react = createRoot(root)
  const restyle = () => {
    // What a person is about to press moves at once, before React hears of it.
    guard.restart()
    applyLook(window, host, options.look.get(), options.place)
  }
  // In the page it says what a press would say; tests wait for it.
  const mark = () => {
    const hold = options.guarded ? guard.hold.get() : undefined
    if (hold) host.setAttribute('data-hold', hold)
    else host.removeAttribute('data-hold')
  }
  const unmark = guard.hold.subscribe(mark)
  mark()
  // A page that zooms its frame changes how large its text is.
  const resize = () => applyLook(window, host, options.look.get(), options.place)
  window.addEventListener('resize', resize)
  const unfollow = options.look.subscribe(restyle)
  const onKey = (event: KeyboardEvent) => {
    const scene = options.scene.get()
    if (event.key !== 'Escape' || event.defaultPrevented || !options.close) return
    if (!scene || isClosable(scene)) options.close('escape')
  }
  window.addEventListener('keydown', onKey)
  keepFocus(window, root)
  restyle()
  react.render(<Surface {...options} root={root} guard={guard} />)
  return () => {
    unfollow()
    unmark()
    window.removeEventListener('resize', resize)
    window.removeEventListener('keydown', onKey)
    guard.stop()
    react.unmount()
    host.remove()
  }
}

/**
 * A page that focuses its frame takes the focus from what has it in there; this gives it back. In a frame of another site Firefox
 * lets nothing have the focus before the page focuses the frame, and Safari nothing before a key is pressed in it: the first
 * screen's field gets it then, and with it what is typed.
 */
function keepFocus(window: Window, root: ShadowRoot): void {
  let last: HTMLElement | undefined
  root.addEventListener('focusin', ({ target }) => {
    last = target as HTMLElement
  })
  const give = () => {
    if (root.activeElement) return
    // Keys that were meant for the page must not find the button that approves something.
    const target = last?.matches('[data-approves]') ? undefined : last
    ;(target ?? firstFocusIn(root))?.focus({ preventScroll: true })
  }
  window.onfocus = give
  // The Tab key goes on by itself, and a shortcut isn't typed.
  window.onkeydown = ({ key, ctrlKey, metaKey, altKey }) => {
    if (key.length === 1 && !ctrlKey && !metaKey && !altKey) give()
  }
}

function applyLook(
  window: Window,
  { ownerDocument, style }: HTMLElement,
  look: ApprovalLook,
  place: SurfaceOptions['place'],
): void {
  const { documentElement } = ownerDocument
  // The panel's corners are round in here as well: browsers cut a frame square that stands in a box with round corners.
  documentElement.toggleAttribute('data-drawer', look.drawer && place === 'frame')
  documentElement.dir = look.dir
  documentElement.lang = 'en'
  documentElement.style.colorScheme = look.theme
  style.cssText = ''
  style.setProperty('--lk-text-scale', String(legibleScale(window, look)))
  style.setProperty('--lk-radius', String(look.radius))
  style.setProperty('--lk-font', followedFont(look))
  for (const [token, colour] of followedColours(look)) style.setProperty(`--lk-${token}`, colour)
}

function Surface({
  root,
  guard,
  scene: scenes,
  look: looks,
  t,
  place,
  guarded: isGuarded,
  drawn,
  close,
}: SurfaceOptions & { root: ShadowRoot; guard: Guard }) {
  const [subscribe] = useState(
    () => (draw: () => void) =>
      // The work that a press starts goes before drawing that it is under way: most signatures are done by then.
      scenes.subscribe(
        () => void setTimeout(draw, scenes.get()?.busy === undefined ? 0 : vaultLimits.busyAfter),
      ),
  )
  const scene = useSyncExternalStore(subscribe, scenes.get)
  const look = useSyncExternalStore(looks.subscribe, looks.get)
  const [refused] = useState(() => createStore<Refusal | undefined>(undefined))
  const step = scene?.step
  const props = scene?.props
  const size = scene?.screen.size(scene.props)
  const scale = legibleScale(window, look)
  // Not after the next paint: a press must not come in between.
  useLayoutEffect(() => {
    void [step, props, look]
    guard.restart()
    refused.set(undefined)
  }, [step, props, look, guard, refused])
  useEffect(() => {
    if (size) drawn?.(heights[size] * scale)
  }, [size, scale, drawn])
  const [holding] = useState(() => createHolding(isGuarded ? guard.hold : undefined, refused, t))
  if (!scene) return null
  const guarded: Scene = {
    ...scene,
    answer(given) {
      const refusal = !isGuarded || leaving.has(given) ? undefined : guard.refusal()
      refused.set(refusal)
      if (!refusal) scene.answer(given)
    },
  }
  return (
    <Shadow root={root} theme={look.theme} accent={look.accent} lang="en">
      <WordsProvider t={t}>
        <div dir={look.dir}>
          <HoldingContext value={holding}>
            <SceneView
              scene={guarded}
              position={look.position}
              filling={look.drawer && place === 'frame' ? 'drawer' : 'dialog'}
              onClose={look.closable ? close : undefined}
            />
          </HoldingContext>
          <Refused store={refused} t={t} />
        </div>
      </WordsProvider>
    </Shadow>
  )
}

/** What the button that approves something says of itself. */
function createHolding(
  holds: Readable<Refusal | undefined> | undefined,
  refusals: Readable<Refusal | undefined>,
  t: Translate,
): Readable<Holding> {
  const read = (): Holding => {
    const hold = holds?.get()
    const refused = refusals.get()
    return {
      ...(hold && {
        hold:
          hold === 'early'
            ? { hint: t('approval.moment') }
            : { hint: t(`approval.${hold}`), advice: t(`approval.${hold}`) },
      }),
      ...(refused && { refused: t(`approval.${refused}`) }),
    }
  }
  const store = createStore(read())
  const update = () => store.set(read())
  return {
    get: store.get,
    subscribe(listener) {
      const stops = [holds?.subscribe(update), refusals.subscribe(update), store.subscribe(listener)]
      update()
      return () => {
        for (const stop of stops) stop?.()
      }
    },
  }
}

/** Says why a press did not count, unless the screen has a place for that: over it, it would hide what is to be read. */
function Refused({ store, t }: { store: Readable<Refusal | undefined>; t: Translate }) {
  const refused = useSyncExternalStore(store.subscribe, store.get)
  return (
    <div css={notice} role="status">
      {refused && <Banner tone="warning">{t(`approval.${refused}`)}</Banner>}
    </div>
  )
}

const notice: CSSObject = {
  position: 'fixed',
  zIndex: 4,
  '[part=dialog]:has([data-layer]:not([inert]) [data-approves]) ~ &': { display: 'none' },
  insetInline: 16,
  insetBlockStart: 56,
  '&:not(:empty)>*': { boxShadow: shadow(2) },
}
