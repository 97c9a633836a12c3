import * as v from 'valibot'
import { normaliseEmail } from '../../lib/email-address.ts'
import type { OAuthProvider } from '../../settings/names.ts'
import type { AccountDetails } from '../../users/account.ts'
import { ProviderFailure } from './failure.ts'
import type { Provider } from './providers.ts'

/** Who somebody is at a provider. */
export type Profile = {
  [Id in OAuthProvider]: {
    provider: Id
    /** The provider's own id of the person, which is never given to anybody else. */
    subject: string
    details: AccountDetails[Id]
    /** Only if the provider says that it is verified: an address that anybody may claim must not open an account. */
    verifiedEmail: string | null
    displayName: string | null
  }
}[OAuthProvider]

const MOST_CHARACTERS = 200

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not get in
const UNSHOWABLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** A name for people: with nothing invisible in it, and of limited length. Anything but text counts as none. */
const shown = v.fallback(
  v.pipe(
    v.nullish(v.string(), null),
    v.transform((text) => text?.replace(UNSHOWABLE, '').trim().slice(0, MOST_CHARACTERS) || null),
  ),
  null,
)
const subject = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,255}$/))
const numericId = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.transform(String))
const address = v.fallback(
  v.pipe(
    v.nullish(v.string(), null),
    v.transform((text) => (text === null ? null : (normaliseEmail(text) ?? null))),
  ),
  null,
)
/** Some say it as a word. */
const yes = v.fallback(
  v.pipe(
    v.unknown(),
    v.transform((value) => value === true || value === 'true'),
  ),
  false,
)
const picture = v.fallback(
  v.pipe(
    v.nullish(v.string(), null),
    v.transform((text) => (text && URL.canParse(text) && /^https:/i.test(text) ? text : null)),
  ),
  null,
)
const verified = (email: string | null, isVerified: boolean) => (isVerified ? email : null)

const openidClaims = { sub: subject, email: address, email_verified: yes, name: shown }

type Reading<Id extends OAuthProvider> = v.GenericSchema<
  unknown,
  {
    subject: string
    details: AccountDetails[Id]
    verifiedEmail?: string | null
    displayName: string | null
  }
>

/** What is read of each provider's answer: of identity tokens, their claims. */
const readings: { readonly [Id in OAuthProvider]: Reading<Id> } = {
  google: v.pipe(
    v.object(openidClaims),
    v.transform(({ sub, name, ...claims }) => {
      const email = verified(claims.email, claims.email_verified)
      return { subject: sub, details: { email, name }, verifiedEmail: email, displayName: email ?? name }
    }),
  ),
  apple: v.pipe(
    v.object(openidClaims),
    v.transform(({ sub, ...claims }) => {
      const email = verified(claims.email, claims.email_verified)
      return { subject: sub, details: { email }, verifiedEmail: email, displayName: email }
    }),
  ),
  linkedin: v.pipe(
    v.object({ ...openidClaims, vanityName: shown }),
    v.transform(({ sub, name, vanityName, ...claims }) => {
      const email = verified(claims.email, claims.email_verified)
      return {
        subject: sub,
        details: { name, email, vanityName },
        verifiedEmail: email,
        displayName: email ?? name,
      }
    }),
  ),
  discord: v.pipe(
    v.object({ id: subject, username: shown, email: address, verified: yes }),
    v.transform(({ id, username, ...answer }) => {
      const email = verified(answer.email, answer.verified)
      return { subject: id, details: { username, email }, verifiedEmail: email, displayName: username }
    }),
  ),
  github: v.pipe(
    v.object({
      id: numericId,
      login: shown,
      name: shown,
      /** From another address (exchange.ts): the one in the profile is not verified. */
      emails: v.fallback(v.array(v.object({ email: address, primary: yes, verified: yes })), []),
    }),
    v.transform(({ id, login: username, name, emails }) => {
      const primary = emails.find((one) => one.primary)
      const email = primary ? verified(primary.email, primary.verified) : null
      return { subject: id, details: { username, name, email }, verifiedEmail: email, displayName: username }
    }),
  ),
  twitter: v.pipe(
    v.object({ data: v.object({ id: subject, username: shown, name: shown, profile_image_url: picture }) }),
    v.transform(({ data: { id, username, name, profile_image_url: profilePictureUrl } }) => ({
      subject: id,
      details: { username, name, profilePictureUrl },
      displayName: username,
    })),
  ),
  spotify: v.pipe(
    v.object({ id: subject, display_name: shown }),
    // Spotify never checks that an address belongs to who typed it.
    v.transform(({ id, display_name: name }) => ({
      subject: id,
      details: { email: null, name },
      displayName: name,
    })),
  ),
  instagram: v.pipe(
    v.object({ user_id: subject, username: shown }),
    v.transform(({ user_id, username }) => ({
      subject: user_id,
      details: { username },
      displayName: username,
    })),
  ),
  tiktok: v.pipe(
    v.object({
      data: v.object({ user: v.object({ open_id: subject, username: shown, display_name: shown }) }),
    }),
    v.transform(({ data: { user } }) => ({
      subject: user.open_id,
      details: { username: user.username, name: user.display_name },
      displayName: user.username ?? user.display_name,
    })),
  ),
}

/** @throws ProviderFailure when the answer does not say who the person is */
export function readProfile(provider: Provider, answer: unknown): Profile {
  const result = v.safeParse(readings[provider.id], answer)
  if (!result.success) throw new ProviderFailure(provider, 'unusable answer', 'profile')
  return { provider: provider.id, verifiedEmail: null, ...result.output } as Profile
}
