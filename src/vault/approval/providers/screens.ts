/** The screens of signing in at a provider, with their words. */
import { addWords } from '../../../copy/copy.ts'
import { farcaster } from '../../../copy/en/farcaster.ts'
import { recovery } from '../../../copy/en/recovery.ts'
import { recoveryErrors } from '../../../copy/en/recovery-errors.ts'
import { retryErrors } from '../../../copy/en/retry-errors.ts'
import { visits } from '../../../copy/en/visits.ts'

export { awaitingFarcaster } from '../../../login/farcaster/farcaster.tsx'
export { visitProvider } from './visit-provider.tsx'

addWords(farcaster, recovery, recoveryErrors, retryErrors, visits)
