import { KitError } from '../../errors/kit-error.ts'
import { untilAborted } from '../../lib/abort.ts'
import type { Readable, Store } from '../../lib/store.ts'
import type { CallOptions, Http } from '../../protocol/http.ts'
import { protocolLimits } from '../../protocol/limits.ts'
import type { LoginMode, SessionAnswer } from '../../protocol/sessions.ts'
import type { SignedMessage } from '../../protocol/siwe.ts'
import { embeddedClientType, type LinkedAccount, type User } from '../../protocol/user.ts'
import { type FlowState, withFlowState } from '../flow-state.ts'
import { type Login, loginOf, readAgain } from '../login-result.ts'
import type { AuthContext } from '../service-context.ts'

/** Which wallet has signed, as far as the host knows. */
export interface SigningWallet {
  readonly walletClientType?: string | undefined
  readonly connectorType?: string | undefined
}
export interface ProofInput extends SigningWallet {
  /** EIP-191 as hex for Ethereum, ed25519 as base64 for Solana. */
  readonly signature: string
  /** What was signed; the message that was generated last by default. */
  readonly message?: string | undefined
}
export interface ProofLoginInput extends ProofInput {
  /** Existing users only. */
  readonly disableSignup?: boolean | undefined
}

/**
 * Logging in with a wallet that signs a message (SIWE, SIWS). Headless: hosts may use it without our screens.
 */
interface ProofAuth {
  /** How far the login is. */
  readonly state: Readable<FlowState>
  /** Loads what generates the message, so that the wallet can be asked within a press. */
  prepare(): Promise<void>
  /**
   * Logs in with what the wallet has signed. Throws a {@link KitError}: `invalid_state` if no message was
   * generated, else the server's code.
   */
  login(input: ProofLoginInput, options?: CallOptions): Promise<Login>
  /**
   * Links the wallet to the person who is logged in. Throws as {@link login} does, and
   * `must_be_authenticated`.
   */
  link(input: ProofInput, options?: CallOptions): Promise<Login>
  /** Unlinks a wallet from the person who is logged in. */
  unlink(address: string, options?: CallOptions): Promise<User>
}

export interface SiweAuth extends ProofAuth {
  /**
   * Generates the message that the wallet is to sign (EIP-4361), with a nonce of the server. Simultaneous
   * callers with the same address share it. Throws a {@link KitError}: `invalid_data` for an invalid address
   * or chain, or the server's code.
   * @param input.chainId CAIP-2; `eip155:1` by default
   */
  generateMessage(
    input: { address: string; chainId?: string | undefined; captchaToken?: string | undefined },
    options?: CallOptions,
  ): Promise<string>
  /** Takes the wallet over from another user, who is deleted by that. */
  transfer(
    input: SigningWallet & { nonce: string; address: string; chainId?: string | undefined },
    options?: CallOptions,
  ): Promise<Login>
}

export interface SiwsAuth extends ProofAuth {
  /** Like {@link SiweAuth.generateMessage}, for a Solana wallet. */
  generateMessage(
    input: { address: string; captchaToken?: string | undefined },
    options?: CallOptions,
  ): Promise<string>
}

/** What distinguishes one kind of signature from another. */
export interface ProofChannel<Input> {
  readonly method: 'siwe' | 'siws'
  readonly chainType: 'ethereum' | 'solana'
  /** Whose message a text is; `undefined` if it is none. */
  read(message: string): { address: string } | undefined
  same(one: string, other: string): boolean
  /** Simultaneous callers with the same key get the same message. */
  keyOf(input: Input): string
  make(input: Input, options: CallOptions): Promise<string>
  authenticate(
    http: Http,
    input: SignedMessage & { mode: LoginMode },
    options?: CallOptions,
  ): Promise<SessionAnswer>
  link(http: Http, signed: SignedMessage, options?: CallOptions): Promise<User>
  unlink(http: Http, address: string, options?: CallOptions): Promise<User>
}

/** What both kinds have in common, and in addition what a transfer needs. */
export function createProofAuth<Input>(cx: AuthContext, channel: ProofChannel<Input>) {
  const { method, chainType } = channel
  const state: Store<FlowState> = cx.state(method)
  const flying = new Map<string, Promise<string>>()
  let generated: string | undefined

  const isWallet = (account: LinkedAccount, address: string) =>
    account.type === 'wallet' && account.chainType === chainType && channel.same(account.address, address)
  const ofPerson = (address: string) =>
    cx.session.user.get()?.linkedAccounts.find((account) => isWallet(account, address))
  const isEmbedded = (address: string) => {
    const account = ofPerson(address)
    return account?.type === 'wallet' && account.embedded
  }
  const entered = (clientType: string | undefined) => cx.onLogin('wallet', { clientType, chainType })

  function generateOnce(input: Input, { fromDialog = false }: CallOptions): Promise<string> {
    const key = channel.keyOf(input)
    const known = flying.get(key)
    if (known) return known
    // Shared by all callers, so none of them may end it for the others.
    const made = channel.make(input, { fromDialog }).finally(() => flying.delete(key))
    flying.set(key, made)
    return made
  }

  /** What was signed, and by whom, if that may be. */
  function signedOf({ signature, message = generated, walletClientType, connectorType }: ProofInput) {
    if (message === undefined) throw new KitError('invalid_state', 'Must initialize SIWE/SIWS flow first.')
    const address = channel.read(message)?.address
    if (address === undefined) throw new KitError('invalid_data', 'The message is not a sign-in message')
    if (typeof signature !== 'string' || signature === '')
      throw new KitError('invalid_data', 'The signature must be a non-empty string')
    if (walletClientType === embeddedClientType || isEmbedded(address))
      throw new KitError('not_supported', 'Cannot link or login with embedded wallet')
    return { address, signed: { message, signature, walletClientType, connectorType } }
  }

  const submitting = <T>(work: () => Promise<T>) =>
    withFlowState(state, { during: 'submitting-signature', after: 'done' }, work)

  const auth = {
    state,

    generateMessage: (input: Input, options: CallOptions = {}): Promise<string> =>
      withFlowState(state, { during: 'generating-message', after: 'awaiting-signature' }, async () => {
        // An earlier message belongs to another attempt.
        generated = undefined
        const message = await untilAborted(generateOnce(input, options), options.signal)
        generated = message
        return message
      }),

    login: ({ disableSignup, ...input }: ProofLoginInput, options?: CallOptions): Promise<Login> =>
      submitting(async () => {
        const { address, signed } = signedOf(input)
        const mode = disableSignup ? 'no-signup' : 'login-or-sign-up'
        const answer = await channel.authenticate(cx.http(), { ...signed, mode }, options)
        const onLogin = () => entered(signed.walletClientType)
        const own = (account: LinkedAccount) => isWallet(account, address)
        const login = loginOf({ session: cx.session, onLogin }, answer, method, own)
        generated = undefined
        return login
      }),

    link: (input: ProofInput, options?: CallOptions): Promise<Login> =>
      submitting(async () => {
        if (!cx.session.user.get())
          throw new KitError('must_be_authenticated', 'User must be authenticated before linking a wallet')
        const { address, signed } = signedOf(input)
        if (ofPerson(address)) throw new KitError('resource_conflict', 'Wallet was already linked.')
        const linked = await channel.link(cx.http(), signed, options)
        generated = undefined
        const user = await readAgain(cx, linked, options?.signal)
        const account = user.linkedAccounts.find((each) => isWallet(each, address))
        return { user, isNewUser: false, method, account }
      }),

    async unlink(address: string, options?: CallOptions): Promise<User> {
      if (isEmbedded(address)) throw new KitError('not_supported', 'Cannot unlink an embedded wallet')
      return readAgain(cx, await channel.unlink(cx.http(), address, options), options?.signal)
    },
  }
  return { auth, isWallet, entered }
}

/** Users read this in the wallet that signs it, in the same words in every language (EIP-4361: ASCII only). */
export const statement =
  'By signing, you prove that you own this wallet and log in with it. Nothing is sent to the chain and no fee is charged.'
/** The person of a message, for an address that no server has. */
export const resource = 'urn:latchkey:sign-in'

/** The page that a message names. A file or a sandboxed frame has no address that anybody could check. */
export function signInPage(origin: string): { domain: string; uri: string } {
  const page = URL.canParse(origin) ? new URL(origin) : undefined
  if (page?.origin === origin && page.host) return { domain: page.host, uri: origin }
  throw new KitError('invalid_configuration', 'Signing in requires a page with a web address', {
    details: `its origin is ${origin.slice(0, protocolLimits.serverTextLength)}`,
  })
}
