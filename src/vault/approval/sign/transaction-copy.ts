/** The words that messages do without. */
import { addWords } from '../../../copy/copy.ts'
import { transaction } from '../../../copy/en/transaction.ts'

addWords(transaction)
