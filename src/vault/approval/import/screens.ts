/** The screen of an import, with its words. */
import { addWords } from '../../../copy/copy.ts'
import { importKey as words } from '../../../copy/en/import-key.ts'

export { importKey } from './import-key.tsx'

addWords(words)
