import type { Run } from '../../src/dialog/surface.ts'
import type { SceneListener } from './contract.ts'

/** Reports what a run's stage shows, now and until it is stopped. */
export function followScenes({ stage: { scene } }: Run, listener: SceneListener): () => void {
  let from: string | null = null
  let last: number | undefined
  const notify = () => {
    const now = scene.get()
    listener.busy(now?.busy !== undefined)
    if (!now || now.step === last) return
    last = now.step
    listener.step(now.screen.id, from)
    from = now.screen.id
  }
  const stop = scene.subscribe(notify)
  notify()
  return stop
}
