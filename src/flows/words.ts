import type { Translate } from '../copy/copy.ts'
import type { Words } from '../errors/verdict.ts'

/** The words of a verdict, ready to be shown. */
export const say = (t: Translate, words: Words): string => ('key' in words ? t(words.key) : words.server)
