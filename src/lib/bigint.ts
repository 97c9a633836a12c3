/** `Math.max` and `Math.min` know numbers alone. */
export const maxOf = (first: bigint, ...others: readonly bigint[]): bigint =>
  others.reduce((most, each) => (each > most ? each : most), first)

export const minOf = (first: bigint, ...others: readonly bigint[]): bigint =>
  others.reduce((least, each) => (each < least ? each : least), first)
