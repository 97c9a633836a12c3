/** `Math.max` and `Math.min` know numbers alone. */
export function maxOf(first: bigint, ...others: readonly bigint[]): bigint {
  let most = first
  for (const each of others) if (each > most) most = each
  return most
}

export function minOf(first: bigint, ...others: readonly bigint[]): bigint {
  let least = first
  for (const each of others) if (each < least) least = each
  return least
}
