import type { Config } from '../../config.ts'

/** Spec §2 "Footer": hidden when the terms must be accepted on a screen of their own, or no address is set. */
export const legalOf = ({ requireTerms, termsUrl, privacyUrl }: Config) =>
  requireTerms || (!termsUrl && !privacyUrl) ? undefined : { termsUrl, privacyUrl }
