import { vaultLimits } from '../limits.ts'

/** What browsers with IntersectionObserver v2 add: whether anything covers, fades or bends what a person should see. */
interface VisibilityOptions extends IntersectionObserverInit {
  readonly trackVisibility: true
  readonly delay: number
}

/** Whether the person can have seen a button before it was pressed. */
export interface Visibility {
  /** Whether it has been in full sight for half a second by now, or for as long as is said; always so where the browser can't tell. */
  seen(button: Element, duration?: number): boolean
  stop(): void
}

/** Whether this browser can tell what a person sees of a frame. */
export const canTellVisibility = (): boolean => 'isVisible' in IntersectionObserverEntry.prototype

/**
 * Watches over buttons from now on, for as long as they are in the page.
 * @param changed called when one has come into sight or left it
 */
export function watchVisibility(buttons: readonly Element[], changed: () => void = () => {}): Visibility {
  if (!canTellVisibility()) return { seen: () => true, stop: () => {} }
  const since = new Map<Element, number>()
  const options: VisibilityOptions = {
    threshold: [vaultLimits.visibleShare],
    trackVisibility: true,
    delay: vaultLimits.visibilityCheck,
  }
  const note = (entries: readonly IntersectionObserverEntry[]) => {
    for (const { target, isVisible } of entries.map(readEntry)) {
      if (!isVisible) since.delete(target)
      else if (!since.has(target)) since.set(target, performance.now())
    }
  }
  const observer = new IntersectionObserver((entries) => {
    note(entries)
    changed()
  }, options)
  for (const button of buttons) observer.observe(button)
  return {
    seen(button, duration = vaultLimits.visibleBeforePress) {
      // Records since the observer's last call count as well, and are not delivered again.
      note(observer.takeRecords())
      const first = since.get(button)
      return first !== undefined && performance.now() - first >= duration
    },
    stop: () => observer.disconnect(),
  }
}

const readEntry = (entry: IntersectionObserverEntry & { isVisible?: boolean }) => ({
  target: entry.target,
  isVisible: entry.isIntersecting && entry.isVisible === true,
})
