import { createContext, type ReactNode, use } from 'react'
import { addWords, createTranslate, type Translate } from '../../copy/copy.ts'
import { common } from '../../copy/en/common.ts'

addWords(common)

const Words = createContext<Translate>(createTranslate())

/** Provides the words to everything inside; without it, they are English. */
export function WordsProvider({ t, children }: { t: Translate; children: ReactNode }) {
  return <Words value={t}>{children}</Words>
}

/** The `t()` of this tree. */
export const useWords = () => use(Words)
