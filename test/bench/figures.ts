/** Figures of the bench: how they are summed up, and how they are printed beside their budgets. */

export interface Figure {
  readonly what: string
  readonly value: number
  readonly unit: 'ms' | '×' | '/s'
  /** The most it may be; without one it is printed to be known. */
  readonly budget?: number
  /** The least it may be, where more is better. */
  readonly least?: number
  /** Said beside it. */
  readonly note?: string
}

/** Whether a figure misses its budget. */
export const isMissed = ({ value, budget, least }: Figure) =>
  (budget !== undefined && !(value <= budget)) || (least !== undefined && !(value >= least))

/** The value below which that share of the values lies: 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
export const median = (values: readonly number[]) => quantile(values, 0.5)

/** The median of what something took, and between what it lay. */
export const timesOf = (what: string, values: readonly number[], budget?: number): Figure => ({
  what,
  value: median(values),
  unit: 'ms',
  ...(budget !== undefined && { budget }),
  note: `median of ${values.length}, ${quantile(values, 0).toFixed(1)} to ${quantile(values, 1).toFixed(1)}`,
})

export function printFigures(figures: readonly Figure[]) {
  const write = ({ unit }: Figure, value: number) =>
    `${value.toFixed(unit === '×' ? 2 : value < 100 ? 1 : 0)} ${unit}`
  for (const figure of figures) {
    const { what, value, budget, least, note = '' } = figure
    const bound = budget ?? least
    const verdict = bound === undefined ? '' : isMissed(figure) ? 'MISSED' : 'ok'
    const limit = bound === undefined ? '' : `${budget === undefined ? '≥ ' : ''}${write(figure, bound)}`
    const cells = [
      what.padEnd(48),
      write(figure, value).padStart(10),
      limit.padStart(10),
      verdict.padEnd(6),
      note,
    ]
    console.log(cells.join('  ').trimEnd())
  }
}
