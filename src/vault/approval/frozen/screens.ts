/** The screen of a frozen account, with its words. */
import { addWords } from '../../../copy/copy.ts'
import { accountChange as words } from '../../../copy/en/account-change.ts'

export { accountFrozen } from './account-frozen.tsx'

addWords(words)
