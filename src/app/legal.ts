import type { Config } from './config.ts'

/** The links of the footer; none if the terms are accepted on a screen of their own, or no address is set. */
export const legalOf = ({ requireTerms, termsUrl, privacyUrl }: Config) =>
  requireTerms || (!termsUrl && !privacyUrl) ? undefined : { termsUrl, privacyUrl }
