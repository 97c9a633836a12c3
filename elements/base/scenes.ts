import type { Run } from '../../src/core/surface.ts'

interface Hearer {
  /** Whether an answer is being worked on. */
  busy(yes: boolean): void
  /** A screen is shown, after the one that was there before. */
  step(screen: string, from: string | null): void
}

/** Tells what stands on a run's stage, now and until it is stopped. */
export function followScenes({ stage: { scene } }: Run, hearer: Hearer): () => void {
  let from: string | null = null
  let last: number | undefined
  const tell = () => {
    const now = scene.get()
    hearer.busy(now?.busy !== undefined)
    if (!now || now.step === last) return
    last = now.step
    hearer.step(now.screen.id, from)
    from = now.screen.id
  }
  const stop = scene.subscribe(tell)
  tell()
  return stop
}
