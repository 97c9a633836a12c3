import { useEffect, useId, useMemo, useRef, useSyncExternalStore } from 'react'
import { createTranslate } from '../../src/copy/copy.ts'
import type { Scene } from '../../src/core/stage.ts'
import type { Readable } from '../../src/core/store.ts'
import { KitError } from '../../src/errors/kit-error.ts'
import { Dialog } from '../../src/ui/dialog.tsx'
import { Panel } from '../../src/ui/panel.tsx'
import { SceneView } from '../../src/ui/scene-view.tsx'
import { Spinner } from '../../src/ui/spinner.tsx'
import { useElapsed } from '../../src/ui/use-elapsed.ts'
import { WordsProvider } from '../../src/ui/words.tsx'
import { Shadow } from '../../styles/shadow.tsx'
import type { ViewProps } from './contract.ts'
import { Guard } from './guard.tsx'

/** A first screen that takes longer than this to come is waited for in an empty panel. */
const patience = 300

interface Props extends ViewProps {
  /** Set once the dialog is to go; called when it has gone. */
  onGone: (() => void) | undefined
}

/** One run as a person sees it: the dialog, or a block in the page, and in it the screen that stands on the stage. */
export function View(props: Props) {
  return (
    <Guard onCrash={props.onCrash}>
      <Dressed {...props} />
    </Guard>
  )
}

function Dressed(props: Props) {
  const { run, root, kit, inline, theme, accent, lang, onShown, onGone, onCloseRequest } = props
  const look = useReadable(kit.look)
  const copy = useReadable(kit.copy)
  const t = useMemo(() => createTranslate(copy), [copy])
  const scene = useScene(run.stage.scene)
  const waitedLong = useElapsed(patience)
  const titleId = useId()
  const visible = scene !== undefined || waitedLong
  useEffect(() => {
    if (!visible) return
    // A modal dialog that nobody can see would still lock the page.
    if (!inline && root.querySelector('dialog')?.getClientRects().length === 0) throw notDisplayed()
    onShown()
  }, [visible, inline, root, onShown])
  if (!visible) return null

  const close = () => onCloseRequest('button')
  const panel = scene ? (
    <SceneView scene={scene} inline={inline} titleId={titleId} onClose={close} />
  ) : (
    <Panel size="full" step={-1} inline={inline} titleId={titleId} onClose={close} busy>
      <Spinner size={40} />
    </Panel>
  )
  // Without words of the page's own they are English, whatever the page around them speaks.
  const spoken = Object.keys(copy).length > 0 ? lang : 'en'
  return (
    <Shadow root={root} theme={theme ?? look.theme} accent={accent ?? look.accent} lang={spoken}>
      <WordsProvider t={t}>
        {inline ? (
          panel
        ) : (
          <Dialog
            open={!onGone}
            {...(onGone && { onGone })}
            closable={scene?.screen.closable(scene.props) ?? true}
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
  new KitError('invalid_configuration', 'The dialog cannot be seen', {
    details: 'its element is in a part of the page that is not displayed',
  })

function useReadable<T>({ subscribe, get }: Readable<T>): T {
  return useSyncExternalStore(subscribe, get)
}

/** The scene, and after the end of the run the last one: the dialog is not emptied while it goes. */
function useScene(store: Readable<Scene | undefined>): Scene | undefined {
  const now = useReadable(store)
  const last = useRef(now)
  if (now) last.current = now
  return last.current
}
