import { isRateLimited, isSuspended, type Person } from './people.ts'

/** An answer as JSON; 200 unless it says otherwise. */
export interface Reply {
  status?: number
  headers?: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: each provider has a shape of its own
  body: any
}

/** In what one provider differs from the OAuth standard and from the others. Paths are those of the original. */
export interface Original {
  name: string
  authorize: string
  token: string
  profile?: string
  jwks?: string
  scopes: readonly string[]
  clientAuth: 'client_secret_basic' | 'client_secret_post'
  /** `refused`: a code verifier makes the token request fail. */
  pkce?: 'required' | 'refused'
  /** Gives out refresh tokens. */
  refreshable?: true
  /** What a denial is called. */
  denied?: string
  /** Puts the request for the sign-in page into the standard's words. Returns what is wrong with it. */
  onAuthorize?(query: URLSearchParams): string | undefined
  /** The same for a token request. */
  onToken?(form: URLSearchParams): void
  /** Puts the standard's token answer into the original's words. */
  tokenReply?(reply: Reply, person: Person | undefined): Reply
  /** What the sign-in page says of scopes that are more than a login. */
  explains?: Readonly<Record<string, string>>
  claims?(person: Person): Record<string, unknown>
  profileReply?(person: Person, scopes: ReadonlySet<string>, path: string, query: URLSearchParams): Reply
  /** What the first call of a kind of account is refused with: the profile's, or else the token's. */
  suspended: Reply
  rateLimited: Reply
}

/** Accounts that the provider itself refuses. */
export function refusalOf(original: Original, { login }: Person): Reply | undefined {
  if (isSuspended(login)) return original.suspended
  return isRateLimited(login) ? original.rateLimited : undefined
}

/** Scopes and field names, however they are separated. */
export const words = (scopes: string | null) => (scopes ?? '').split(/[\s,]+/).filter(Boolean)

export const message = (status: number, body: object, headers?: Record<string, string>): Reply => ({
  status,
  body,
  ...(headers && { headers }),
})
