import type { en } from './en/index.ts'

export type CopyKey = keyof typeof en
/** What a host may override: every word, with the same placeholders. */
export type CopyOverrides = Partial<Record<CopyKey, string>>

type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never
type Values<Key extends CopyKey> = Placeholders<(typeof en)[Key]>
/** Keys whose words have no placeholder. */
export type PlainKey = { [Key in CopyKey]: [Values<Key>] extends [never] ? Key : never }[CopyKey]
type Arguments<Key extends CopyKey> = [Values<Key>] extends [never]
  ? []
  : [values: Record<Values<Key>, string | number>]

/** The words for a key; the placeholders of the English text are its arguments. */
export type Translate = <Key extends CopyKey>(key: Key, ...values: Arguments<Key>) => string

/** The English words loaded so far. */
const english: Partial<Record<string, string>> = {}

/** Adds words; called by the chunk that shows them. */
export function addWords(...families: Partial<typeof en>[]): void {
  Object.assign(english, ...families)
}

/** A `t()` over a locale and the host's overrides. A key that neither of them has falls back to English. */
export function createTranslate(overrides: CopyOverrides = {}, locale: CopyOverrides = {}): Translate {
  return (key, ...[values]) =>
    fill(own(overrides, key) ?? own(locale, key) ?? english[key] ?? key, values ?? {})
}

/** Splits words that have a place for something other than text: the pieces around and between `{name}`. */
export function pieces(text: string): readonly { text: string; name?: string }[] {
  return text.split(/(\{\w+\})/).flatMap((piece) => {
    const name = /^\{(\w+)\}$/.exec(piece)?.[1]
    return name ? [{ text: piece, name }] : piece ? [{ text: piece }] : []
  })
}

const own = (words: CopyOverrides, key: CopyKey) => (Object.hasOwn(words, key) ? words[key] : undefined)

const fill = (text: string, values: Partial<Record<string, string | number>>) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  )
