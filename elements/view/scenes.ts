import type { Run } from '../../src/dialog/surface.ts'
import type { SceneListener } from './contract.ts'

/** Reports what a run's stage shows, now and until it is stopped: a screen that is asked again with other props is no other step. */
export function followScenes({ stage: { scene } }: Run, listener: SceneListener): () => void {
  let from: string | null = null
  const notify = () => {
    const now = scene.get()
    listener.busy(now?.busy !== undefined)
    if (!now || now.screen.id === from) return
    listener.step(now.screen.id, from)
    from = now.screen.id
  }
  const stop = scene.subscribe(notify)
  notify()
  return stop
}
