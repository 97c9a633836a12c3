/** `Math.max` and `Math.min` know numbers alone. */
export function maxOf(one: bigint, other: bigint): bigint {
  if (one > other) return one
  return other
}

export function minOf(one: bigint, other: bigint): bigint {
  if (one < other) return one
  return other
}
