/** What the README asks of a host's page, but for the runner's own connection. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // An app's own logo stands where its settings say.
  "img-src 'self' data: https:",
  'connect-src *',
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Puts this page under the strictest policy that a page can have, for good. What it refuses from now on is in the list. */
export function underStrictPolicy(): string[] {
  const violations: string[] = []
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
    violations.push(`${effectiveDirective}: ${blockedURI} ${sample}`),
  )
  const meta = document.createElement('meta')
  meta.httpEquiv = 'Content-Security-Policy'
  meta.content = policy
  document.head.append(meta)
  return violations
}
