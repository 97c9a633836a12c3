import { appLink } from '../../lib/app-link.ts'
import { useMissed } from '../feedback/use-missed.ts'

/** Where an app can be opened: the addresses that it answers to. */
export interface AppLinks {
  readonly native?: string | undefined
  readonly universal?: string | undefined
}

/** The address to offer now: one after the other while nothing opens. `missed`: none of them did. */
export function useAppLinks(links: readonly (string | undefined)[], timeout?: number) {
  const usable = links.map(appLink).filter((link) => link !== undefined)
  const [times, follow, followed] = useMissed(timeout)
  return {
    href: usable[Math.min(times, usable.length - 1)],
    times,
    missed: usable.length > 0 && times >= usable.length,
    follow,
    followed,
  }
}
