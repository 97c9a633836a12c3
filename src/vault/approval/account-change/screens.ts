/** The screen of a change to the user's accounts or sessions, with its words. */
import { addWords } from '../../../copy/copy.ts'
import { accountChange as words } from '../../../copy/en/account-change.ts'

export { accountChange } from './account-change.tsx'

addWords(words)
