import { useEffect, useId, useState } from 'react'
import { createTranslate } from '../../src/copy/copy.ts'
import { SceneView } from '../../src/dialog/scene-view.tsx'
import type { Example, Screen } from '../../src/dialog/screen.ts'
import type { Scene } from '../../src/dialog/stage.ts'
import { createStore } from '../../src/lib/store.ts'
import type { ApprovalLook } from '../../src/protocol/frame/approval.ts'
import { Dialog } from '../../src/ui/panel/dialog.tsx'
import { drawSurface } from '../../src/vault/approval/surface.tsx'
import { panel } from '../../styles/scale.ts'
import { color, media } from '../../styles/tokens.ts'
import { type Address, writeAddress } from './address.ts'
import { all } from './screens.ts'

/** How long the gallery works on an answer before it asks again. */
const work = 1_500

/** One entry, as the product shows it. */
export function Shown({ address }: { address: Address }) {
  const entry = all[address.screen ?? '']
  const example = entry?.examples[address.example ?? ''] ?? Object.values(entry?.examples ?? {})[0]
  if (!entry || !example) return <p css={{ color: color('text') }}>There is no such screen.</p>
  const narrow = matchMedia(`(max-width:${panel.drawerUpTo}px)`).matches
  if (address.size === 'drawer' && !narrow) return <Phone address={address} />
  if (address.size === 'window')
    return <VaultWindow screen={entry.screen} example={example} address={address} />
  return <Play screen={entry.screen} example={example} address={address} />
}

/** What the vault draws takes the place of everything else in the page. */
function VaultWindow({ screen, example, address }: PlayProps) {
  useEffect(() => {
    const { accent, dir, scale } = address
    const isDark =
      address.theme === 'dark' || (address.theme === 'auto' && matchMedia(media.dark.slice(7)).matches)
    const scene = createStore<Scene | undefined>(undefined)
    const show = (step: number, busy: unknown) =>
      scene.set({
        screen,
        props: example.props,
        busy,
        step,
        answer(given) {
          show(step, given)
          setTimeout(() => show(step + 1, undefined), work)
        },
      })
    show(1, example.busy)
    const look = createStore<ApprovalLook>({
      ...(accent && { accent }),
      theme: isDark ? 'dark' : 'light',
      dir,
      textScale: scale,
      radius: 1,
      drawer: false,
      closable: false,
    })
    return drawSurface(window, { scene, look, t: createTranslate(), place: 'window', guarded: true })
  }, [screen, example, address])
  return null
}

/** A drawer belongs to a narrow page: here is one. */
function Phone({ address }: { address: Address }) {
  return (
    <div css={ground}>
      <iframe
        title="Drawer"
        css={{ width: 400, height: 720, border: `1px solid ${color('border')}`, borderRadius: 24 }}
        src={writeAddress(address)}
      />
    </div>
  )
}

interface PlayProps {
  screen: Screen<object, unknown>
  example: Example<object, unknown>
  address: Address
}
function Play({ screen, example, address }: PlayProps) {
  const titleId = useId()
  const [open, setOpen] = useState(true)
  const [{ step, busy }, setState] = useState({ step: 1, busy: example.busy })
  const scene: Scene = {
    screen,
    props: example.props,
    position: example.position,
    busy,
    step,
    answer(given) {
      setState({ step, busy: given })
      setTimeout(() => setState({ step: step + 1, busy: undefined }), work)
    },
  }
  if (address.size === 'inline')
    return (
      <div css={ground}>
        <SceneView inline scene={scene} titleId={titleId} onClose={() => {}} />
      </div>
    )
  return (
    <div css={ground}>
      <Dialog
        open={open}
        closable={screen.closable(example.props)}
        titleId={titleId}
        onCloseRequest={() => setOpen(false)}
        onGone={() => setOpen(true)}
      >
        <SceneView scene={scene} titleId={titleId} onClose={() => setOpen(false)} />
      </Dialog>
    </div>
  )
}

const ground = {
  boxSizing: 'border-box',
  display: 'grid',
  placeItems: 'center',
  minHeight: '100dvh',
  padding: 16,
  background: color('surface-sunken'),
} as const
