import { toSeconds } from '../lib/time.ts'
import type { Identity } from '../sessions/tokens.ts'
import type { Account, AccountDetails, EmbeddedWalletAccount, ProvedType } from '../users/account.ts'
import type { User } from './user.ts'

const maybeSeconds = (milliseconds: number | null) => (milliseconds === null ? null : toSeconds(milliseconds))

type View<T extends ProvedType> = (subject: string, details: AccountDetails[T]) => object | undefined
type Views = { readonly [T in ProvedType]: View<T> }

/** Linked accounts as the API shows them: each kind of account but for its times. A guest has no entry. */
const full: Views = {
  email: (address) => ({ type: 'email', address }),
  phone: (number) => ({ type: 'phone', phoneNumber: number }),
  google: (subject, { email, name }) => ({ type: 'google_oauth', subject, email: email ?? '', name }),
  twitter: (subject, { username, name, profilePictureUrl }) => ({
    type: 'twitter_oauth',
    subject,
    username,
    name,
    profile_picture_url: profilePictureUrl,
  }),
  discord: (subject, { username, email }) => ({ type: 'discord_oauth', subject, username, email }),
  github: (subject, { username, name, email }) => ({ type: 'github_oauth', subject, username, name, email }),
  spotify: (subject, { email, name }) => ({ type: 'spotify_oauth', subject, email, name }),
  instagram: (subject, { username }) => ({ type: 'instagram_oauth', subject, username }),
  tiktok: (subject, { username, name }) => ({ type: 'tiktok_oauth', subject, username, name }),
  linkedin: (subject, { name, email, vanityName }) => ({
    type: 'linkedin_oauth',
    subject,
    email,
    ...present({ name, vanity_name: vanityName }),
  }),
  apple: (subject, { email }) => ({ type: 'apple_oauth', subject, email }),
  farcaster: (fid, { ownerAddress, username, displayName, bio, pictureUrl, signerPublicKey }) => ({
    type: 'farcaster',
    fid: Number(fid),
    owner_address: ownerAddress,
    ...present({ username, display_name: displayName, bio }),
    ...present({ profile_picture: pictureUrl, profile_picture_url: pictureUrl }),
    ...present({ signer_public_key: signerPublicKey ?? null }),
  }),
  telegram: (id, { firstName, lastName, username, photoUrl }) => ({
    type: 'telegram',
    telegram_user_id: id,
    username,
    first_name: firstName,
    last_name: lastName,
    photo_url: photoUrl,
  }),
  passkey: (id, { authenticatorName, createdWithBrowser, createdWithOs, createdWithDevice }) => ({
    type: 'passkey',
    credential_id: id,
    enrolled_in_mfa: false,
    ...present({ authenticator_name: authenticatorName, created_with_browser: createdWithBrowser }),
    ...present({ created_with_os: createdWithOs, created_with_device: createdWithDevice }),
  }),
  custom: (id) => ({ type: 'custom_auth', custom_user_id: id }),
  'cross-app': (_, { providerAppId, userId, embeddedWallets, smartWallets }) => ({
    type: 'cross_app',
    subject: userId,
    provider_app_id: providerAppId,
    embedded_wallets: embeddedWallets.map((address) => ({ address })),
    smart_wallets: smartWallets.map((address) => ({ address })),
  }),
  'ethereum-wallet': (address, { chainId, clientType, connectorType }) => ({
    type: 'wallet',
    address,
    chain_id: `eip155:${chainId}`,
    chain_type: 'ethereum',
    wallet_client: 'unknown',
    ...present({ wallet_client_type: clientType, connector_type: connectorType }),
  }),
  'solana-wallet': (address, { clientType, connectorType }) => ({
    type: 'wallet',
    address,
    chain_type: 'solana',
    wallet_client: 'unknown',
    ...present({ wallet_client_type: clientType, connector_type: connectorType }),
  }),
  'smart-wallet': (address, { smartWalletType, smartWalletVersion }) => ({
    type: 'smart_wallet',
    address,
    smart_wallet_type: smartWalletType,
    ...present({ smart_wallet_version: smartWalletVersion }),
  }),
  guest: () => undefined,
}

/** The entries of `linked_accounts` in the identity token, but for `lv`. */
const slim: Views = {
  ...full,
  phone: (number) => ({ type: 'phone', phone_number: number }),
  twitter: (subject, { username, name, profilePictureUrl }) => ({
    type: 'twitter_oauth',
    subject,
    username,
    name,
    pfp: profilePictureUrl,
  }),
  discord: (subject, { username }) => ({ type: 'discord_oauth', subject, username }),
  github: (subject, { username }) => ({ type: 'github_oauth', subject, username }),
  spotify: (subject, { email }) => ({ type: 'spotify_oauth', subject, email }),
  tiktok: (subject, { username }) => ({ type: 'tiktok_oauth', subject, username }),
  linkedin: (subject, { email }) => ({ type: 'linkedin_oauth', subject, email }),
  farcaster: (fid, { ownerAddress, username }) => ({
    type: 'farcaster',
    fid: Number(fid),
    oa: ownerAddress,
    ...present({ username }),
  }),
  telegram: (id, { username }) => ({ type: 'telegram', telegram_user_id: id, username }),
  passkey: (id) => ({ type: 'passkey', credential_id: id }),
  'ethereum-wallet': (address, { clientType }) => ({
    type: 'wallet',
    address,
    chain_type: 'ethereum',
    ...present({ wallet_client_type: clientType }),
  }),
  'solana-wallet': (address, { clientType }) => ({
    type: 'wallet',
    address,
    chain_type: 'solana',
    ...present({ wallet_client_type: clientType }),
  }),
}

const viewOf = (views: Views, account: Exclude<Account, EmbeddedWalletAccount>) =>
  (views[account.type] as View<ProvedType>)(account.subject, account.details as never)

/** The linked accounts of a user. */
export const accountViews = (user: User): object[] =>
  user.accounts.flatMap((account) => {
    const view = account.type === 'embedded-wallet' ? walletView(account) : viewOf(full, account)
    if (!view) return []
    return {
      ...view,
      ...(account.type === 'passkey' && { enrolled_in_mfa: user.mfaPasskeys.has(account.subject) }),
      verified_at: toSeconds(account.verifiedAt),
      first_verified_at: maybeSeconds(account.firstVerifiedAt),
      latest_verified_at: maybeSeconds(account.latestVerifiedAt),
    }
  })

/** What the identity token says of a user. */
export const identityOf = (user: User): Identity => ({
  slimAccounts: slimAccounts(user),
  customMetadata: user.customMetadata,
  createdAt: user.createdAt,
  isGuest: user.isGuest,
})

const slimAccounts = (user: User): object[] =>
  user.accounts.flatMap((account) => {
    const view = account.type === 'embedded-wallet' ? slimWallet(account) : viewOf(slim, account)
    return view ? { ...view, lv: maybeSeconds(account.latestVerifiedAt) } : []
  })

/** An embedded wallet is shown on its chain's main network, by CAIP-2. */
const mainnets = { ethereum: 'eip155:1', solana: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }
const walletView = (wallet: EmbeddedWalletAccount) => ({
  type: 'wallet',
  id: wallet.id,
  address: wallet.address,
  imported: wallet.imported,
  delegated: wallet.delegated,
  wallet_index: wallet.walletIndex,
  chain_id: mainnets[wallet.chainType],
  chain_type: wallet.chainType,
  ...(wallet.chainType !== 'ethereum' && { public_key: wallet.address }),
  wallet_client: 'privy',
  wallet_client_type: 'privy',
  connector_type: 'embedded',
  recovery_method: wallet.recoveryMethod,
})
const slimWallet = ({ address, chainType }: EmbeddedWalletAccount) => ({
  type: 'wallet',
  address,
  chain_type: chainType,
  wallet_client_type: 'privy',
})

/** The fields that have a value. */
const present = (fields: Record<string, string | null>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
