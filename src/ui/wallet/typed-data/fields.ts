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
const AMOUNT_BITS = 96n
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
  const size = BigInt(bits[1] || 256)
  const most = (1n << (type.startsWith('u') ? size : size - 1n)) - 1n
  return size >= AMOUNT_BITS && number === most ? { is: 'maximum' } : undefined
}

/** Who may spend, and whether without a limit: by the greatest amount, or by 'allowed'. */
export interface NamedSpender {
  /** Unless it is no address. */
  readonly address: string | undefined
  readonly all: boolean
}

/** Whom typed data lets spend, as far as names of fields tell. */
export function spenderOf(fields: readonly TypedField[]): NamedSpender | undefined {
  const all = [...each(fields)]
  const spender = all.find(({ name, type }) => type === 'address' && SPENDERS.test(name))
  if (!spender) return undefined
  const isUnlimited = all.some(
    (field) =>
      (AMOUNTS.test(field.name) && meaningOf(field)?.is === 'maximum') ||
      (field.type === 'bool' && /^(allowed|approved)$/i.test(field.name) && field.value === 'true'),
  )
  return { address: meaningOf(spender) ? String(spender.value) : undefined, all: isUnlimited }
}

/** Whether a part of typed data is bytes, such as a hash of something else, which say nothing to anybody. */
export const hasUnreadable = (fields: readonly TypedField[]): boolean =>
  [...each(fields)].some(
    ({ type, value }) => /^bytes(32)?$/.test(type) && /[1-9a-f]/i.test(String(value).slice(2)),
  )

function* each(fields: readonly TypedField[]): Generator<TypedField> {
  for (const field of fields) {
    if (typeof field.value === 'string') yield field
    else yield* each(field.value)
  }
}
