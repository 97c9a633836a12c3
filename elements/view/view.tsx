import { useEffect, useId, useMemo, useRef, useSyncExternalStore } from 'react'
import { createTranslate } from '../../src/copy/copy.ts'
import { isClosable } from '../../src/dialog/closable.ts'
import { SceneView } from '../../src/dialog/scene-view.tsx'
import type { Scene } from '../../src/dialog/stage.ts'
import type { Run } from '../../src/dialog/surface.ts'
import { KitError } from '../../src/errors/kit-error.ts'
import type { Readable } from '../../src/lib/store.ts'
import { Spinner } from '../../src/ui/feedback/spinner.tsx'
import { Dialog } from '../../src/ui/panel/dialog.tsx'
import { Panel } from '../../src/ui/panel/panel.tsx'
import { WordsProvider } from '../../src/ui/text/words.tsx'
import { Shadow } from '../../styles/shadow.tsx'
import type { ViewProps } from './contract.ts'
import { Guard } from './guard.tsx'

interface Props extends ViewProps {
  /** Set once the dialog is to close; called when it has closed. */
  onGone: (() => void) | undefined
}

/**
 * One run as a person sees it: a dialog, or a block in the page, with the screen that the stage shows, and an empty panel
 * as long as it shows none.
 */
export function View(props: Props) {
  return (
    <Guard onCrash={props.onCrash}>
      <ViewContent {...props} />
    </Guard>
  )
}

function ViewContent(props: Props) {
  const { run, root, kit, inline, theme, accent, onShown, onGone, onCloseRequest } = props
  const look = useReadable(kit.look)
  const copy = useReadable(kit.copy)
  const t = useMemo(() => createTranslate(copy), [copy])
  const { scene, count } = useScene(run)
  const titleId = useId()
  const fromPage = accentProperty(root.host)
  useEffect(() => {
    // A modal dialog that nobody can see would still lock the page.
    if (!inline && root.querySelector('dialog')?.getClientRects().length === 0) throw notDisplayed()
    onShown()
  }, [inline, root, onShown])

  const panel = scene ? (
    <SceneView scene={scene} run={count} inline={inline} titleId={titleId} onClose={onCloseRequest} />
  ) : (
    <Panel size="full" step={-1} inline={inline} titleId={titleId} onClose={onCloseRequest} busy>
      <Spinner size={40} />
    </Panel>
  )
  // Without words from the page the dialog is in English, even if the page is not.
  const spoken = Object.keys(copy).length > 0 ? languageOf(root.host) : 'en'
  return (
    <Shadow
      root={root}
      theme={theme ?? look.theme}
      accent={accent ?? fromPage ?? look.accent}
      derived={!accent && fromPage !== undefined}
      lang={spoken}
    >
      <WordsProvider t={t}>
        {inline ? (
          panel
        ) : (
          <Dialog
            open={!onGone}
            {...(onGone && { onGone })}
            closable={!scene || isClosable(scene)}
            onCloseRequest={onCloseRequest}
            titleId={titleId}
          >
            {panel}
          </Dialog>
        )}
      </WordsProvider>
    </Shadow>
  )
}

const notDisplayed = () =>
  new KitError('invalid_configuration', 'The dialog is not visible: its element is not displayed')

function useReadable<T>({ subscribe, get }: Readable<T>): T {
  return useSyncExternalStore(subscribe, get)
}

/**
 * The scene of a run, and how many runs the dialog has shown before. Until a run has a scene it is the last one of the run before, and
 * after its end its own, so that the dialog is never empty while it closes.
 */
function useScene(run: Run): { readonly scene: Scene | undefined; readonly count: number } {
  const now = useReadable(run.stage.scene)
  const last = useRef({ run, scene: now, count: 0 })
  const before = last.current
  if (now) last.current = { run, scene: now, count: before.count + (before.run === run ? 0 : 1) }
  return last.current
}

/** A page may set the accent as a custom property; any other form than hex stays the one colour that it is. */
function accentProperty(host: Element): string | undefined {
  const value = getComputedStyle(host).getPropertyValue('--lk-accent').trim()
  return /^#([\da-f]{3}|[\da-f]{6})$/i.test(value) ? value : undefined
}

/**
 * The language that applies to an element: the nearest ancestor's, through nested roots, or the document's.
 */
function languageOf(element: Element): string | undefined {
  for (
    let each: Element | undefined = element;
    each;
    each = (each.getRootNode() as Partial<ShadowRoot>).host
  ) {
    const lang = each.closest<HTMLElement>('[lang]')?.lang
    if (lang) return lang
  }
  return undefined
}
