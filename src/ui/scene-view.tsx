import { type ReactNode, useMemo, useRef, useState } from 'react'
import type { Scene } from '../core/stage.ts'
import { Panel } from './panel.tsx'

interface SceneViewProps {
  scene: Scene
  inline?: boolean
  titleId?: string
  /** Closes the run. The button is shown only where the screen may be closed. */
  onClose(): void
}

/**
 * Draws what stands on a stage: the panel, and in it the screen with its props. The same screen asked again stays
 * as it is, with what was typed in it; another screen slides in, from the side that fits the answer before it.
 */
export function SceneView({ scene, inline, titleId, onClose }: SceneViewProps): ReactNode {
  const { screen, props, busy, step } = scene
  const View = screen.view
  const latest = useRef(scene)
  latest.current = scene
  const last = useRef<unknown>(undefined)
  if (busy !== undefined) last.current = busy
  // One function for each time that the flow asks: screens tell by it that they were asked again.
  const answer = useMemo(() => {
    void step
    return (given: unknown) => {
      if (latest.current.busy !== undefined) return
      last.current = given
      latest.current.answer(given)
    }
  }, [step])

  const [shown, setShown] = useState({
    id: screen.id,
    count: 0,
    arrival: 'open' as 'open' | 'forward' | 'back',
  })
  if (shown.id !== screen.id) {
    const arrival = last.current === undefined ? 'open' : last.current === 'back' ? 'back' : 'forward'
    setShown({ id: screen.id, count: shown.count + 1, arrival })
  }
  return (
    <Panel
      size={screen.size}
      step={shown.count}
      arrival={shown.arrival}
      busy={busy !== undefined}
      inline={inline ?? false}
      titleId={titleId}
      onBack={screen.back(props) ? () => answer('back') : undefined}
      onClose={screen.closable(props) ? onClose : undefined}
    >
      <View {...props} busy={busy} answer={answer} />
    </Panel>
  )
}
