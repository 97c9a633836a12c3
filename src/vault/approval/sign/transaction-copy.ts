/** The words that messages do without. */
import { addWords } from '../../../copy/copy.ts'
import { calls } from '../../../copy/en/calls.ts'
import { transaction } from '../../../copy/en/transaction.ts'

addWords(calls, transaction)
