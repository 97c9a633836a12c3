import { activityLimits } from './limits.ts'

/** The units of a relative time, each with its length in milliseconds, the longest first. */
const units = [
  ['day', 24 * 60 * 60_000],
  ['hour', 60 * 60_000],
  ['minute', 60_000],
] as const

/**
 * How long ago something was, in the browser's own locale, and its date once that says more. A moment that lies ahead, because the
 * clock was set back, is now.
 * @param at milliseconds since 1970, as `now`
 */
export function ago(at: number, now: number): string {
  const age = Math.max(0, now - at)
  if (age >= activityLimits.recent) return dates.format(new Date(at))
  const [unit, length] =
    units.find(([, each]) => age >= each) ?? (['second', Number.POSITIVE_INFINITY] as const)
  return relative.format(-Math.floor(age / length), unit)
}

/** The day and time of a moment, in the browser's own locale. */
export const moment = (at: number): string => moments.format(new Date(at))

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' })
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
