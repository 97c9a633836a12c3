import type { Translate } from '../copy/copy.ts'
import type { Words } from '../errors/verdict.ts'

/** The words of a verdict, ready to be shown. */
export function say(t: Translate, words: Words): string {
  if ('server' in words) return words.server
  // Each table supplies the values that its words need; which ones those are is not known here.
  return 'values' in words
    ? (t as (key: string, values: object) => string)(words.key, words.values)
    : t(words.key)
}
