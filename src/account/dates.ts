/** A day, as it is written in the browser's own locale. */
export const day = (date: Date): string => dates.format(date)
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** The same with the time, for what can happen more than once on a day. */
export const dayAndTime = (date: Date): string => moments.format(date)
const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
