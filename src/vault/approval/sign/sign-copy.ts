/** The words of whatever is signed, for the screen that comes first. */
import { addWords } from '../../../copy/copy.ts'
import { sign } from '../../../copy/en/sign.ts'

addWords(sign)
