/**
 * One field of typed data as it is signed: its name, its type and its value, or the fields that it is made
 * of.
 */
export interface TypedField {
  readonly name: string
  readonly type: string
  readonly value: string | readonly TypedField[]
}

/** What a value means besides its digits. */
export type Meaning =
  | { readonly is: 'address' }
  | { readonly is: 'time'; readonly at: Date }
  /** The most that there can be of something, or no end in time. */
  | { readonly is: 'maximum' }
  | { readonly is: 'endless' }

const TIMES = /deadline|expir|valid(to|from|until|after|before)|not(after|before)|(start|end)time|timestamp/i
const AMOUNTS = /^(value|amount|amounts|allowance|wad|rawamount)$/i
const SPENDERS = /^(spender|operator|delegate)$/i
/** A number of fewer bits is too small to be an allowance, or counts something else. */
const AMOUNT_BITS = 96
/** Seconds since 1970: from 2001 until the year 5138. */
const [FIRST, LAST] = [1e9, 1e11]

/** What can be said about a field in people's words. */
export function meaningOf({ name, type, value }: TypedField): Meaning | undefined {
  if (typeof value !== 'string') return undefined
  if (type === 'address') return /^0x[\da-f]{40}$/i.test(value) ? { is: 'address' } : undefined
  const bits = /^u?int(\d*)$/.exec(type)
  const number = bits && /^(\d+|0x[\da-f]+)$/i.test(value) ? BigInt(value) : undefined
  if (!bits || number === undefined) return undefined
  if (TIMES.test(name)) {
    if (number > LAST) return { is: 'endless' }
    return number >= FIRST ? { is: 'time', at: new Date(Number(number) * 1000) } : undefined
  }
  const size = Number(bits[1] || 256)
  // Half of the greatest amount is as good as all of it.
  return size >= AMOUNT_BITS && number >= 1n << BigInt(size - 1) ? { is: 'maximum' } : undefined
}

/**
 * Who may spend without a limit: a permit for the greatest amount, or for all. Its address, if it gives one.
 */
export function unlimitedSpender(
  fields: readonly TypedField[],
): { readonly address: string | undefined } | undefined {
  const all = [...each(fields)]
  const spender = all.find(({ name, type }) => type === 'address' && SPENDERS.test(name))
  if (!spender) return undefined
  const without = all.some(
    (field) =>
      (AMOUNTS.test(field.name) && meaningOf(field)?.is === 'maximum') ||
      (field.type === 'bool' && /^(allowed|approved)$/i.test(field.name) && field.value === 'true'),
  )
  if (!without) return undefined
  return { address: meaningOf(spender) ? String(spender.value) : undefined }
}

function* each(fields: readonly TypedField[]): Generator<TypedField> {
  for (const field of fields) {
    if (typeof field.value === 'string') yield field
    else yield* each(field.value)
  }
}
