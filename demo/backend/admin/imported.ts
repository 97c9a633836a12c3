import * as v from 'valibot'
import { readEthereumAddress, readSolanaAddress } from '../chains/address.ts'
import { readPhoneNumber } from '../codes/phone-number.ts'
import { normaliseEmail } from '../lib/email-address.ts'
import type { AccountDetails, ProvedType } from '../users/account.ts'
import { LONGEST_CUSTOM_ID } from '../users/account.ts'
import type { NewAccount } from './users.ts'

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(1_400))
const maybe = v.optional(v.nullable(text), null)
const read = (reader: (text: string) => string | undefined) =>
  v.pipe(
    text,
    v.transform((given) => reader(given) ?? ''),
    v.minLength(1),
  )
const made = <T extends ProvedType>(type: T, subject: string, details: AccountDetails[T]): NewAccount => ({
  type,
  subject,
  details: { ...details },
})
const notOfPage = { clientType: null, connectorType: null }

/** An account of a new user as the protocol's own server packages write it: an app's server vouches for it. */
export const importedAccount = v.pipe(
  v.variant('type', [
    v.object({ type: v.literal('email'), address: read(normaliseEmail) }),
    v.object({ type: v.literal('phone'), number: read((number) => readPhoneNumber(number)?.e164) }),
    v.object({
      type: v.literal('custom_auth'),
      custom_user_id: v.pipe(text, v.maxLength(LONGEST_CUSTOM_ID)),
    }),
    v.object({
      type: v.literal('wallet'),
      chain_type: v.literal('ethereum'),
      address: read(readEthereumAddress),
    }),
    v.object({
      type: v.literal('wallet'),
      chain_type: v.literal('solana'),
      address: read(readSolanaAddress),
    }),
    v.object({ type: v.literal('google_oauth'), subject: text, email: maybe, name: maybe }),
    v.object({
      type: v.literal('twitter_oauth'),
      subject: text,
      username: maybe,
      name: maybe,
      profile_picture_url: maybe,
    }),
    v.object({ type: v.literal('discord_oauth'), subject: text, username: maybe, email: maybe }),
    v.object({ type: v.literal('github_oauth'), subject: text, username: maybe, name: maybe, email: maybe }),
    v.object({ type: v.literal('spotify_oauth'), subject: text, email: maybe, name: maybe }),
    v.object({ type: v.literal('instagram_oauth'), subject: text, username: maybe }),
    v.object({ type: v.literal('tiktok_oauth'), subject: text, username: maybe, name: maybe }),
    v.object({
      type: v.literal('linkedin_oauth'),
      subject: text,
      name: maybe,
      email: maybe,
      vanityName: maybe,
      vanity_name: maybe,
    }),
    v.object({ type: v.literal('apple_oauth'), subject: text, email: maybe }),
    v.object({
      type: v.literal('farcaster'),
      fid: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
      owner_address: read(readEthereumAddress),
      username: maybe,
      display_name: maybe,
      bio: maybe,
      profile_picture_url: maybe,
    }),
    v.object({
      type: v.literal('telegram'),
      telegram_user_id: v.pipe(v.string(), v.regex(/^\d{1,20}$/)),
      first_name: maybe,
      last_name: maybe,
      username: maybe,
      photo_url: maybe,
    }),
  ]),
  v.transform((given): NewAccount => {
    switch (given.type) {
      case 'email':
        return made('email', given.address, {})
      case 'phone':
        return made('phone', given.number, {})
      case 'custom_auth':
        return made('custom', given.custom_user_id, {})
      case 'wallet':
        return given.chain_type === 'ethereum'
          ? made('ethereum-wallet', given.address, { chainId: 1, ...notOfPage })
          : made('solana-wallet', given.address, notOfPage)
      case 'google_oauth':
        return made('google', given.subject, { email: given.email, name: given.name })
      case 'twitter_oauth': {
        const { subject, username, name, profile_picture_url: profilePictureUrl } = given
        return made('twitter', subject, { username, name, profilePictureUrl })
      }
      case 'discord_oauth':
        return made('discord', given.subject, { username: given.username, email: given.email })
      case 'github_oauth': {
        const { subject, username, name, email } = given
        return made('github', subject, { username, name, email })
      }
      case 'spotify_oauth':
        return made('spotify', given.subject, { email: given.email, name: given.name })
      case 'instagram_oauth':
        return made('instagram', given.subject, { username: given.username })
      case 'tiktok_oauth':
        return made('tiktok', given.subject, { username: given.username, name: given.name })
      case 'linkedin_oauth': {
        const { subject, name, email, vanityName, vanity_name: snake } = given
        return made('linkedin', subject, { name, email, vanityName: vanityName ?? snake })
      }
      case 'apple_oauth':
        return made('apple', given.subject, { email: given.email })
      case 'farcaster':
        return made('farcaster', String(given.fid), {
          ownerAddress: given.owner_address,
          username: given.username,
          displayName: given.display_name,
          bio: given.bio,
          pictureUrl: given.profile_picture_url,
        })
      case 'telegram':
        return made('telegram', given.telegram_user_id, {
          firstName: given.first_name,
          lastName: given.last_name,
          username: given.username,
          photoUrl: given.photo_url,
        })
    }
  }),
)
export const importedAccounts = v.pipe(v.array(importedAccount), v.minLength(1), v.maxLength(20))
