/** Figures of the bench: how they are summed up, and how they are printed beside their budgets. */

export interface Figure {
  readonly what: string
  readonly value: number
  readonly unit: 'ms' | '×' | '/s'
  /** The most it may be; without one it is printed to be known. */
  readonly budget?: number
  /** Said beside it. */
  readonly note?: string
}

export const isOver = ({ value, budget }: Figure) => budget !== undefined && !(value <= budget)

/** The value below which that share of the values lies: 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
export const median = (values: readonly number[]) => quantile(values, 0.5)

/** The median of what something took, and between what it lay. */
export const timesOf = (what: string, values: readonly number[], budget?: number): Figure => ({
  ...{ what, value: median(values), unit: 'ms' },
  ...(budget !== undefined && { budget }),
  note: `median of ${values.length}, ${quantile(values, 0).toFixed(1)} to ${quantile(values, 1).toFixed(1)}`,
})

export function printFigures(figures: readonly Figure[]) {
  const write = ({ unit }: Figure, value: number) =>
    `${value.toFixed(unit === '×' ? 2 : value < 100 ? 1 : 0)} ${unit}`
  for (const figure of figures) {
    const { what, value, budget, note = '' } = figure
    const verdict = budget === undefined ? '' : isOver(figure) ? 'OVER' : 'ok'
    const limit = budget === undefined ? '' : write(figure, budget)
    const cells = [
      what.padEnd(48),
      write(figure, value).padStart(10),
      limit.padStart(10),
      verdict.padEnd(4),
      note,
    ]
    console.log(cells.join('  ').trimEnd())
  }
}
