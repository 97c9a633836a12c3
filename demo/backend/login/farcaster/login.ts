import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Proof, Prove } from '../../accounts/accounts.ts'
import { Refusal, Unavailable } from '../../lib/refusal.ts'
import type { App } from '../../settings/app.ts'
import type { Limits } from '../../settings/limits.ts'
import type { Database, Transaction } from '../../store/database.ts'
import type { OneTime } from '../../store/one-time.ts'
import type { AccountDetails } from '../../users/account.ts'
import { accounts } from '../../users/tables.ts'
import type { FarcasterChain } from './chain.ts'
import { type Asked, type Claim, nonceIn, readMessage } from './message.ts'
import type { Completed, FarcasterRelay } from './relay.ts'

/** What somebody presents as theirs. */
export interface SignedMessage {
  message: string
  signature: string
  fid: number
}
/** Which page a login is for: its origin. */
type Page = string
/** Who asks: the origin of a page, or nobody's where a program asks that is no page. */
type Asker = Page | undefined

/** A channel as it is kept until it is used, under a token that only the page which asked for it knows. */
interface Channel {
  relayToken: string
  nonce: string
  page: Page
  from: number
  until: number
}
interface FrameNonce {
  page: Page
  from: number
  until: number
}

export interface FarcasterLogin {
  /** Opens a channel to the app of a person. @throws Refusal `not_supported`, Unavailable */
  open(
    app: App,
    page: Page,
    redirectUrl: string | undefined,
  ): Promise<{ channelToken: string; connectUri: string }>
  /** How far the person is. @throws Refusal `invalid_state`, Unavailable */
  status(
    app: App,
    asker: Asker,
    channelToken: string,
  ): Promise<Completed | { state: 'pending'; nonce: string }>
  /** Judges the answer to a channel, which is used up with that. @throws Refusal, Unavailable */
  prove(app: App, asker: Asker, channelToken: string, signed: SignedMessage): Promise<Prove>
  /** A nonce for a page that runs inside the person's app. */
  openFrame(app: App, page: Page): Promise<{ nonce: string; until: number }>
  /** Judges what the app signed for such a page; the nonce is used up with that. @throws Refusal, Unavailable */
  proveFrame(app: App, asker: Asker, signed: SignedMessage): Promise<Prove>
}

/** Login with Farcaster (FIP-11). */
export function createFarcasterLogin(deps: {
  database: Database
  oneTime: OneTime
  relay: FarcasterRelay
  chain: FarcasterChain
  limits: Limits
  clock: () => number
}): FarcasterLogin {
  const { database, oneTime, relay, chain, limits, clock } = deps
  const channelKey = (app: App, value: string) => ({ kind: 'farcaster-channel', appId: app.id, value })
  const answerKey = (app: App, value: string) => ({ kind: 'farcaster-answer', appId: app.id, value })
  const frameKey = (app: App, value: string) => ({ kind: 'farcaster-frame', appId: app.id, value })
  const unknown = () =>
    new Refusal('invalid_state', 'This request is unknown or has ended. Please start again.')
  const wrong = () =>
    new Refusal('invalid_credentials', 'This Farcaster login is not valid.', { status: 401 })
  /** The relay gives an answer away once, so those who ask for it at the same time share it. */
  const asking = new Map<string, Promise<Completed | 'pending' | 'gone'>>()

  async function answerOf(app: App, token: string, channel: Channel) {
    const known = await oneTime.peek(database, answerKey(app, token))
    if (known) return known as Completed
    const answer = await relay.status(channel.relayToken)
    if (answer === 'pending') return answer
    const life = channel.until - clock()
    if (answer !== 'gone') await oneTime.put(database, { ...answerKey(app, token), data: answer, life })
    // Gone to another process of ours, perhaps, which has kept it.
    return answer === 'gone'
      ? (((await oneTime.peek(database, answerKey(app, token))) as Completed) ?? answer)
      : answer
  }

  /**
   * The signature of what was asked, by who owns the fid. What could not be judged is given back: the person may try
   * the same again.
   */
  async function judge(
    { message, signature, fid }: SignedMessage,
    asked: Asked,
    giveBack: () => Promise<unknown>,
  ): Promise<Claim> {
    const claim = await readMessage(message, asked, clock(), limits.clockSkew)
    if (claim?.fid !== fid || !/^0x(?:[\da-f]{2})+$/i.test(signature)) throw wrong()
    try {
      if (!(await chain.signed(claim.address, message, signature as Hex))) throw wrong()
      if ((await chain.fidOf(claim.address)) !== BigInt(fid)) throw wrong()
    } catch (cause) {
      if (cause instanceof Unavailable) await giveBack()
      throw cause
    }
    return claim
  }

  const proofOf =
    (app: App, { address, fid }: Claim, profile: Profile | undefined): Prove =>
    async (tx): Promise<Proof> => {
      const subject = String(fid)
      const known = await knownProfile(tx, app, subject)
      const { signerPublicKey } = known
      const details = {
        ...(profile ?? known),
        ownerAddress: address,
        ...(signerPublicKey && { signerPublicKey }),
      }
      const displayName = details.username ? `@${details.username}` : details.displayName
      return { type: 'farcaster', subject, details, displayName: displayName ?? subject }
    }

  return {
    async open(app, page, redirectUrl) {
      const from = clock()
      const until = from + limits.farcasterChannelLife
      const nonce = randomBytes(12).toString('hex')
      const { relayToken, connectUri } = await relay.open({
        siweUri: page,
        domain: new URL(page).host,
        nonce,
        expirationTime: new Date(until).toISOString(),
        ...(redirectUrl && { redirectUrl }),
      })
      // Not the relay's own token: that one is in the link, and anyone who sees the link could use it.
      const channelToken = randomBytes(32).toString('base64url')
      const data: Channel = { relayToken, nonce, page, from, until }
      await oneTime.put(database, {
        ...channelKey(app, channelToken),
        data,
        life: limits.farcasterChannelLife,
      })
      return { channelToken, connectUri }
    },

    async status(app, asker, channelToken) {
      const channel = (await oneTime.peek(database, channelKey(app, channelToken))) as Channel | undefined
      if (!channel || !isFor(channel, asker)) throw unknown()
      const key = `${app.id} ${channelToken}`
      let answer = asking.get(key)
      if (!answer) {
        answer = answerOf(app, channelToken, channel).finally(() => asking.delete(key))
        asking.set(key, answer)
      }
      const got = await answer
      if (got === 'gone') throw unknown()
      return got === 'pending' ? { state: 'pending', nonce: channel.nonce } : got
    },

    async prove(app, asker, channelToken, signed) {
      const channel = (await oneTime.take(database, channelKey(app, channelToken))) as Channel | undefined
      if (!channel || !isFor(channel, asker)) throw wrong()
      const { page, from, until, nonce } = channel
      const asked = {
        ...pageParts(page),
        nonce,
        from,
        until,
        uri: (uri: string) => uri === page || uri === `${page}/`,
      }
      const claim = await judge(signed, asked, () =>
        oneTime.put(database, { ...channelKey(app, channelToken), data: channel, life: until - clock() }),
      )
      const answer = (await oneTime.take(database, answerKey(app, channelToken))) as Completed | undefined
      return proofOf(app, claim, answer?.fid === claim.fid ? profileOf(answer) : undefined)
    },

    async openFrame(app, page) {
      const from = clock()
      const until = from + limits.farcasterNonceLife
      const nonce = randomBytes(12).toString('hex')
      const data: FrameNonce = { page, from, until }
      await oneTime.put(database, { ...frameKey(app, nonce), data, life: limits.farcasterNonceLife })
      return { nonce, until }
    },

    async proveFrame(app, asker, signed) {
      const nonce = (await nonceIn(signed.message)) ?? ''
      const asked = (await oneTime.take(database, frameKey(app, nonce))) as FrameNonce | undefined
      if (!asked || !isFor(asked, asker)) throw wrong()
      const { page, from, until } = asked
      // Inside the app the login is valid for every page of the site.
      const uri = (text: string) => URL.canParse(text) && new URL(text).origin === page
      const claim = await judge(signed, { ...pageParts(page), nonce, from, until, uri }, () =>
        oneTime.put(database, { ...frameKey(app, nonce), data: asked, life: until - clock() }),
      )
      return proofOf(app, claim, undefined)
    },
  }
}

type Profile = Omit<AccountDetails['farcaster'], 'ownerAddress'>

const profileOf = ({ username, displayName, bio, pfpUrl }: Completed): Profile => ({
  username,
  displayName,
  bio,
  pictureUrl: pfpUrl,
})

/** What an earlier login said about the person; a page inside the app gets nothing. */
async function knownProfile(tx: Transaction, app: App, subject: string): Promise<Profile> {
  const [row] = await tx
    .select({ details: accounts.details })
    .from(accounts)
    .where(and(eq(accounts.appId, app.id), eq(accounts.type, 'farcaster'), eq(accounts.subject, subject)))
  const known = row?.details as AccountDetails['farcaster'] | undefined
  const { username = null, displayName = null, bio = null, pictureUrl = null, signerPublicKey } = known ?? {}
  return { username, displayName, bio, pictureUrl, ...(signerPublicKey && { signerPublicKey }) }
}

const isFor = ({ page }: { page: Page }, asker: Asker) => asker === undefined || asker === page

const pageParts = (page: Page) => {
  const { host, protocol } = new URL(page)
  return { domain: host, scheme: protocol.slice(0, -1) }
}
