/** The screens of an export, with their words. */
import { addWords } from '../../../copy/copy.ts'
import { showKey as words } from '../../../copy/en/show-key.ts'

export { showKey } from './show-key.tsx'

addWords(words)
