/** The screens of an export, with their words. */
import { addWords } from '../../../copy/copy.ts'
import { password } from '../../../copy/en/password.ts'
import { proveRecovery as proving } from '../../../copy/en/prove-recovery.ts'
import { showKey as words } from '../../../copy/en/show-key.ts'

export { proveRecovery } from './prove-recovery.tsx'
export { showKey } from './show-key.tsx'

addWords(words, proving, password)
