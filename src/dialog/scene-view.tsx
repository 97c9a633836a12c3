import { type ReactNode, useMemo, useRef, useState } from 'react'
import { Panel } from '../ui/panel/panel.tsx'
import { isClosable } from './closable.ts'
import type { QueuePosition } from './screen.ts'
import type { Scene } from './stage.ts'

interface SceneViewProps {
  scene: Scene
  /** Another value for each run that the same dialog shows: nothing that was typed or ticked for one goes over to the next. */
  run?: number | undefined
  inline?: boolean
  /** See the panel's. */
  filling?: 'dialog' | 'drawer' | undefined
  titleId?: string
  /** Where the request stands in its queue; the scene's own by default. */
  position?: QueuePosition | undefined
  /** Closes the run. The button is shown only if the screen may be closed, and there is a way to close it. */
  onClose?: ((by: 'button' | 'escape') => void) | undefined
}

/**
 * Draws what a stage shows: the panel with the current screen and its props. The same screen asked again
 * stays as it is, with what was typed; another screen slides in from the side that fits the previous answer.
 */
export function SceneView({
  scene,
  run = 0,
  inline,
  filling,
  titleId,
  position = scene.position,
  onClose,
}: SceneViewProps): ReactNode {
  const { screen, props, busy, step } = scene
  const View = screen.view
  const latest = useRef(scene)
  latest.current = scene
  const last = useRef<unknown>(undefined)
  if (busy !== undefined) last.current = busy
  // A new function each time the flow asks, so that screens notice it.
  const answer = useMemo(() => {
    void [run, step]
    return (given: unknown) => {
      if (latest.current.busy !== undefined) return
      last.current = given
      latest.current.answer(given)
    }
  }, [run, step])

  const [shown, setShown] = useState({
    id: screen.id,
    run,
    count: 0,
    arrival: 'open' as 'open' | 'forward' | 'back',
  })
  if (shown.id !== screen.id || shown.run !== run) {
    const isFirst = last.current === undefined && shown.run === run
    const arrival = isFirst ? 'open' : isBack(last.current) ? 'back' : 'forward'
    setShown({ id: screen.id, run, count: shown.count + 1, arrival })
  }
  return (
    <Panel
      size={screen.size(props)}
      step={shown.count}
      arrival={shown.arrival}
      asked={`${run} ${step}`}
      busy={busy !== undefined}
      inline={inline ?? false}
      filling={filling}
      titleId={titleId}
      position={position}
      onBack={screen.back(props) ? () => answer('back') : undefined}
      onClose={isClosable(scene) ? onClose : undefined}
    >
      <View {...props} busy={busy} answer={answer} />
    </Panel>
  )
}

/** An answer that keeps what was typed says so by its name. */
const isBack = (answer: unknown) =>
  answer === 'back' || (typeof answer === 'object' && answer !== null && 'back' in answer)
