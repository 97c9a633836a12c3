import type { ActivityEntry } from '../activity/entry.ts'
import type { HostConfig, PaymentCap } from '../app/config.ts'
import type { Balance } from '../balances/balances.ts'
import type { CopyOverrides } from '../copy/copy.ts'
import type { Surface } from '../dialog/surface.ts'
import type { KitError } from '../errors/kit-error.ts'
import type { TransactionReceipt } from '../ethereum/receipt.ts'
import type { Readable } from '../lib/store.ts'
import type { FlowState } from '../login/flow-state.ts'
import type { HeadlessCalls, TransferRequest } from '../login/headless-calls.ts'
import type { MfaMethod } from '../mfa/methods.ts'
import type { ConnectedApp } from '../protocol/connected-apps.ts'
import type { Device } from '../protocol/devices.ts'
import type { Permission } from '../protocol/grants.ts'
import type { LoginMethod } from '../protocol/login-method.ts'
import type { OAuthTokens } from '../protocol/sessions.ts'
import type { LinkedAccount, PasskeyAccount, User, WalletAccount } from '../protocol/user.ts'
import type { UserSession } from '../protocol/user-sessions.ts'
import type { SolanaReceipt } from '../solana/receipt.ts'
import type { SignedPayment } from '../x402/pay.ts'
import type {
  AccountToUnlink,
  LinkOptions,
  LoginOptions,
  ManageOptions,
  UnlinkOptions,
  UpdateOptions,
} from './api/accounts.ts'
import type {
  CallsStatus,
  DowngradeWalletOptions,
  SendCallsOptions,
  SignAuthorizationOptions,
  SignedAuthorization,
  UpgradeWalletOptions,
} from './api/calls.ts'
import type { CrossAppRequests } from './api/cross-app.ts'
import type { KitMfa } from './api/mfa.ts'
import type { FundedWallet, FundWalletOptions, SendFormOptions, SentByForm } from './api/sending.ts'
import type {
  FetchWithPaymentOptions,
  SentTransaction,
  SignOptions,
  SignTransactionOptions,
  SignTypedDataOptions,
  SignUiOptions,
  TransactionRequestInput,
  TypedDataSignature,
} from './api/signing.ts'
import type { KitSolana, SentSolanaTransaction } from './api/solana.ts'
import type { TypedDataInput, TypedDataTypes } from './api/typed-data.ts'
import type {
  ConnectedWallet,
  ConnectOrCreateOptions,
  ConnectWalletOptions,
  CreateSmartWalletOptions,
  CreateWalletOptions,
  DelegateWalletOptions,
  EmbeddedWallet,
  ImportWalletOptions,
  RecoveryUiOptions,
  RemoveDeviceOptions,
  RevokeDelegationOptions,
  SetRecoveryOptions,
  SignerOptions,
  SignFarcasterOptions,
  SmartWallet,
} from './api/wallets.ts'

export type * from './api/accounts.ts'
export type * from './api/calls.ts'
export type * from './api/cross-app.ts'
export type * from './api/mfa.ts'
export type * from './api/sending.ts'
export type * from './api/signing.ts'
export type * from './api/solana.ts'
export type * from './api/typed-data.ts'
export type * from './api/wallets.ts'
export type { ActivityEntry, Balance, PaymentCap, SignedPayment, SolanaReceipt, TransactionReceipt }

export interface KitState {
  /** The app's configuration is known, and a stored session was restored or given up. */
  readonly ready: boolean
  readonly authenticated: boolean
  readonly user: User | null
  /** A dialog of this kit is on the page. */
  readonly isModalOpen: boolean
}
/** One object for each event. */
export interface KitEvents {
  login: {
    user: User
    isNewUser: boolean
    wasAlreadyAuthenticated: boolean
    loginMethod: string | null
    loginAccount: LinkedAccount | null
  }
  logout: undefined
  user: { user: User | null }
  /** An account was added to the person who is logged in. */
  linked: AccountChange
  /** An account was unlinked from them. */
  unlinked: AccountChange
  /** Their e-mail address or phone number was replaced. */
  updated: AccountChange
  /**
   * An account that is to be linked belongs to another user, who would be deleted by taking it over. Emitted before the
   * person is asked; `refuse()` keeps it from being offered.
   */
  'transfer-request': { method: string; account: string; refuse(): void }
  signature: { signature: string; address: string }
  /** The network has a transaction that {@link Kit.sendTransaction} sent. `chain` is CAIP-2, such as `eip155:1`. */
  submitted: { transactionHash: string; chain: string; address: string }
  /** The network has confirmed it. */
  receipt: (SentTransaction | SentSolanaTransaction) & { chain: string; address: string }
  /** A wallet of the user has more than before. */
  funded: FundedWallet
  /** An embedded wallet was created or imported because somebody asked for it. */
  wallet: { wallet: WalletAccount }
  /** The recovery method of an embedded wallet has changed. */
  recovery: { method: string; wallet: WalletAccount }
  /** New devices of the user wait for this one to approve them, or no longer do; see {@link Kit.devices}. */
  'device-request': { count: number }
  /** The user's wallet lives in one browser alone: they have no proof for another device yet. At most once in a tab. */
  'device-proof-missing': { required: boolean }
  /** An external wallet is connected: newly, or again after the page was loaded. */
  connect: { wallet: ConnectedWallet }
  disconnect: { wallet: ConnectedWallet }
  /** The connected wallets have changed: a wallet, its account or its chain. */
  wallets: { wallets: readonly ConnectedWallet[] }
  /** A social provider gave the app tokens of its own. They are passed on here, once, and not kept. */
  'oauth-tokens': { oAuthTokens: OAuthTokens; user: User }
  /** The person's second factors have changed. */
  mfa: { methods: readonly MfaMethod[] }
  /** A request waits until the host has had the person verified; see {@link KitMfa.submit}. */
  'mfa-required': { methods: readonly MfaMethod[] }
  error: KitError
}
/** The person as they are now, and the account that was added, removed or changed. */
export interface AccountChange {
  readonly user: User
  /** `email`, `sms`, `siwe`, `siws`, a social provider, `farcaster`, `telegram`, `passkey`, or another app's method. */
  readonly method: string
  readonly account: LinkedAccount | null
}

/** How the app looks, as set by its owner and the host. */
export interface Look {
  readonly theme: 'auto' | 'light' | 'dark'
  /** A CSS hex colour. */
  readonly accent: string | undefined
  readonly appName: string | undefined
}

export interface KitOptions {
  /** 25 characters. */
  appId: string
  /** Base address of the API, without a trailing slash; https, or http on localhost. */
  apiUrl: string
  clientId?: string
  /** Base address of the vault, which should have an origin of its own. The API's by default. */
  vaultUrl?: string
  config?: HostConfig
  copy?: CopyOverrides
  /** `false`: nothing is posted to the app's analytics. */
  analytics?: boolean
}

/** What a host can do without our screens, with the state of each method. */
export type HeadlessMethods = {
  readonly [Method in keyof HeadlessCalls]: HeadlessCalls[Method] & { readonly state: Readable<FlowState> }
}

/**
 * One app on a page: its session, its wallets, and the flows that it runs on a surface. Created by
 * `createKit`; elements with the same app id share one. Every method waits until the kit is ready.
 */
export interface Kit extends Omit<HeadlessMethods, 'crossApp'> {
  readonly appId: string
  readonly ready: boolean
  readonly authenticated: boolean
  readonly user: User | null
  readonly isModalOpen: boolean
  readonly state: Readable<KitState>
  readonly look: Readable<Look>
  /** The host's words, which override ours. */
  readonly copy: Readable<CopyOverrides>
  /**
   * What the dialog has shown so far, names only: `landing > email enter-code …`. For debugging and demos.
   */
  readonly trace: Readable<readonly string[]>
  /**
   * Resolves when {@link KitState.ready}; rejects with the {@link KitError} that prevents it.
   * @example
   * await kit.whenReady()
   * console.log(kit.authenticated)
   */
  whenReady(): Promise<void>
  /**
   * Calls `listener` now and after each change; returns a function that stops it.
   * @example
   * const stop = kit.subscribe(({ ready, user }) => {
   *   if (ready) document.title = user ? 'Welcome back' : 'Log in'
   * })
   * stop()
   */
  subscribe(listener: (state: KitState) => void): () => void
  on<Name extends keyof KitEvents>(event: Name, listener: (detail: KitEvents[Name]) => void): () => void
  /**
   * Opens the login dialog. Resolves with the person once they are logged in, have accepted the app's terms
   * and have the wallet that the app gives them. Somebody who is logged in already is returned at once, with
   * a warning. Throws a {@link KitError}: `exited_auth_flow` when the dialog was closed,
   * `terms_not_accepted`, or what went wrong. A second call joins the first.
   * @example
   * const user = await kit.login({ loginMethods: ['email', 'passkey'] })
   */
  login(options?: LoginOptions): Promise<User>
  /**
   * Ends the session here, in the other tabs and at the server.
   * @example
   * await kit.logout()
   */
  logout(): Promise<void>
  /**
   * An access token that is good for at least 30 s, refreshed if necessary; `null` when nobody is logged in.
   * @example
   * const token = await kit.getAccessToken()
   * if (token) await fetch('/orders', { headers: { authorization: `Bearer ${token}` } })
   */
  getAccessToken(): Promise<string | null>
  /**
   * The identity token of the person who is logged in, or `null`.
   * @example
   * const token = await kit.getIdentityToken()
   */
  getIdentityToken(): Promise<string | null>
  /**
   * Creates an embedded wallet and resolves with it. Throws a {@link KitError}: `must_be_authenticated`,
   * `embedded_wallet_already_exists` if neither an index nor an additional one was asked for,
   * `invalid_wallet_index`, `embedded_wallet_create_error`.
   * @example
   * const wallet = await kit.createWallet({ chainType: 'ethereum' })
   */
  createWallet(options?: CreateWalletOptions): Promise<WalletAccount>
  /**
   * Imports a private key as an embedded wallet: 0x-hex of 32 bytes for Ethereum, base58 of 64 for Solana. Resolves with the
   * wallet. In a strict app the person enters the key in the vault's own window, and a page that passes one is refused. In a
   * compatible app the page passes it: the key goes to the vault and is kept nowhere else, but the page has seen it. Throws
   * `invalid_request_arguments` if it is no key, or if the page may not have it; `embedded_wallet_create_error` if the person
   * turns back.
   * @example
   * const wallet = await kit.importWallet({ chainType: 'solana' })
   */
  importWallet(options?: ImportWalletOptions): Promise<WalletAccount>
  readonly mfa: KitMfa
  /** The devices that may use the person's wallets. */
  readonly devices: {
    /**
     * Those that are known, the one used last first. Throws `must_be_authenticated`, or the server's error.
     * @example
     * const devices = await kit.devices.list()
     */
    list(): Promise<readonly Device[]>
    /**
     * Removes a device: from that moment it can't use the wallets until the person shows again who they are. In a strict app the
     * vault's own window names the device and asks the person first. Throws `invalid_request_arguments` if they have no such
     * device, `unknown_embedded_wallet_error` if they turn back, or what went wrong.
     * @example
     * const [, oldest] = await kit.devices.list()
     * if (oldest) await kit.devices.remove(oldest.id)
     */
    remove(id: string, options?: RemoveDeviceOptions): Promise<void>
    /**
     * Counts the new devices that wait for one of these to approve them; see the event `device-request`. Throws
     * `must_be_authenticated`, or the server's error.
     * @example
     * const waiting = await kit.devices.countRequests()
     */
    countRequests(): Promise<number>
    /**
     * Has the user decide, in the vault's own window, about a new device that waits. Resolves with what they have decided: `none`
     * if nothing was waiting any more. Throws `must_be_authenticated`, `wallet_enrolment_required` where this device can't use the
     * wallets itself, `unknown_embedded_wallet_error` if they leave it for later, or what went wrong.
     * @example
     * const decision = await kit.devices.approve()
     */
    approve(options?: RemoveDeviceOptions): Promise<'approved' | 'denied' | 'none'>
    /**
     * The kinds of proof with which the user could confirm a new device, such as `passkey`, `email` or `recovery`. With none, their
     * wallet lives in one browser alone. Throws `must_be_authenticated`, or the server's error.
     * @example
     * const isBackedUp = (await kit.devices.proofs()).length > 0
     */
    proofs(): Promise<readonly string[]>
    /**
     * Offers the user a passkey of the vault or a recovery password, with which they can use their wallet on another device.
     * Resolves with whether they have added one. Throws `must_be_authenticated`, `embedded_wallet_not_found`, or what went wrong.
     * @example
     * const isAdded = await kit.devices.addProof()
     */
    addProof(options?: RemoveDeviceOptions): Promise<boolean>
  }
  /**
   * Lets a server of the app act with an embedded wallet, within one of the permissions of the app's settings. The user reads in the
   * vault's own window who acts, what may be done, the most that can be lost and until when. Resolves with the server's id of the
   * permission and its end.
   *
   * @param options the wallet, the permission, where it is shown, and a signal that closes it
   * @returns the id by which the app's server acts, and when it ends
   * @throws KitError `must_be_authenticated`, `embedded_wallet_not_found`, `already_delegated`, `feature_not_enabled` where the app has
   * no such permission, `delegation_declined` if the user says no, or what went wrong
   * @example
   * const { id } = await kit.delegateWallet({ permission: 'daily' })
   * await fetch('/permissions', { method: 'POST', body: JSON.stringify({ id }) })
   */
  delegateWallet(options?: DelegateWalletOptions): Promise<{ id: string; expiresAt: Date }>
  /**
   * Ends every permission of the user, once they have confirmed it. No server can act with the next request.
   *
   * @param options where it is shown, and a signal that closes it
   * @throws KitError `must_be_authenticated`, `user_has_not_delegated_wallet`, `revocation_declined` if the user says no, or what went
   * wrong
   * @example
   * await kit.revokeDelegatedWallets()
   */
  revokeDelegatedWallets(options?: RevokeDelegationOptions): Promise<void>
  /**
   * The key with which the app may post for a user on Farcaster. It comes from the secret of the user's embedded wallet, and never leaves
   * the vault; its public half is `signerPublicKey` of the user's Farcaster account.
   */
  readonly farcasterSigner: {
    /**
     * Has the user approve the key in their Farcaster app: a code to scan, or on a phone a link to the app. Resolves with the user, whose
     * Farcaster account has it then; at once where it has it already.
     *
     * @throws KitError `must_be_authenticated`, `linked_account_not_found` without a Farcaster account, `embedded_wallet_not_found` without
     * an embedded wallet that isn't imported, `feature_not_enabled` where the app has no account to ask with, `farcaster_rejected` also for
     * a user who closes the dialog, or `farcaster_timeout` after five minutes
     * @example
     * const user = await kit.farcasterSigner.request()
     * const account = user.linkedAccounts.find(({ type }) => type === 'farcaster')
     */
    request(options?: SignerOptions): Promise<User>
    /**
     * Signs the hash of a message (20 bytes of BLAKE3) with the key. Strict apps have the vault ask each time, in its own window, because a
     * hash says nothing of what is posted.
     *
     * @returns the 64 bytes of the signature (ed25519)
     * @throws KitError as {@link request} does; `invalid_request_arguments`, `invalid_state` before the key was approved, or
     * `unable_to_sign` when the user declines
     * @example
     * const signature = await kit.farcasterSigner.sign(new Uint8Array(20), { uiOptions: { showWalletUIs: false } })
     */
    sign(hash: Uint8Array, options?: SignFarcasterOptions): Promise<Uint8Array>
  }
  /** Permissions of the app's servers to act with the user's wallets. */
  readonly permissions: {
    /**
     * All permissions, ended ones too, the newest first, with their latest uses. Throws `must_be_authenticated`, or the server's error.
     * @example
     * const active = (await kit.permissions.list()).filter(({ isActive }) => isActive)
     */
    list(): Promise<readonly Permission[]>
    /**
     * Ends one permission, without a screen. Throws `must_be_authenticated`, `invalid_request_arguments`, or the server's error.
     * @example
     * for (const { id } of await kit.permissions.list()) await kit.permissions.stop(id)
     */
    stop(id: string): Promise<void>
  }
  /** Other apps that the user has let in with their account of this one, and whose requests to their wallets it answers. */
  readonly connectedApps: {
    /**
     * All of them, the one used last first. Throws `must_be_authenticated`, or the server's error.
     * @example
     * const asking = (await kit.connectedApps.list()).filter(({ access }) => access === 'requests')
     */
    list(): Promise<readonly ConnectedApp[]>
    /**
     * Ends the access of one, without a screen: its tokens and open requests are over at the server with the next request, until the user logs in there
     * again. Throws `must_be_authenticated`, `invalid_request_arguments`, or the server's error.
     * @example
     * for (const { id } of await kit.connectedApps.list()) await kit.connectedApps.disconnect(id)
     */
    disconnect(id: string): Promise<void>
  }
  /** Where the person is logged in. */
  readonly sessions: {
    /**
     * Those that haven't ended, the one used last first. Throws `must_be_authenticated`, or the server's error.
     * @example
     * const sessions = await kit.sessions.list()
     */
    list(): Promise<readonly UserSession[]>
    /**
     * Logs the person out of a session elsewhere; that browser notices with its next call to the server. The session of this
     * page ends with {@link logout}. Throws `must_be_authenticated`, `invalid_request_arguments`, or the server's error.
     * @example
     * const [, other] = await kit.sessions.list()
     * if (other) await kit.sessions.end(other.id)
     */
    end(id: string): Promise<void>
    /**
     * Logs the person out everywhere but here. Throws as {@link end} does.
     * @example
     * await kit.sessions.endOthers()
     */
    endOthers(): Promise<void>
  }
  /**
   * Opens the settings of the person's account: accounts, passkeys, second factors, wallets, sessions and devices. Resolves,
   * when they close it, with the person as they are then. Throws a {@link KitError}: `must_be_authenticated`;
   * `session_changed` when somebody else has logged in meanwhile.
   * @example
   * const user = await kit.manageAccount()
   */
  manageAccount(options?: ManageOptions): Promise<User>
  /**
   * Shows the user what their wallets sent from this browser, and what became of it. There they speed up or cancel a pending Ethereum
   * transaction, and send a dropped one again. Resolves once they close it.
   *
   * @param options where it is shown, and a signal that closes it
   * @throws KitError `must_be_authenticated`, or `flow_in_progress` while another dialog is open
   * @example
   * await kit.openActivity()
   */
  openActivity(options?: ManageOptions): Promise<void>
  /**
   * Shows the user what their embedded wallets hold, read anew. Resolves once they close it.
   *
   * @param options where it is shown, and a signal that closes it
   * @throws KitError `must_be_authenticated`, or `flow_in_progress` while another dialog is open
   * @example
   * await kit.openBalances()
   */
  openBalances(options?: ManageOptions): Promise<void>
  /**
   * Opens a form in which the user chooses what to send, to whom and how much, from an embedded or a connected wallet. They review the
   * transaction, or their external wallet has them review it, and it is sent. Closing the dialog after that doesn't call it back.
   *
   * @param options what is filled in, where it is shown, and a signal that closes it
   * @returns the hash and the receipt
   * @throws KitError `must_be_authenticated`, `embedded_wallet_not_found` for a user without a wallet, `unsupported_chain_id` or
   * `invalid_request_arguments` for a chain or token that the app doesn't have, `unable_to_sign` when the user closes the form,
   * `wallet_rejected`, `insufficient_funds`, or `transaction_failure`, as {@link sendTransaction} does
   * @example
   * const { transactionHash } = await kit.openSend({ chain: 'eip155:8453', amount: '0.25' })
   */
  openSend(options?: SendFormOptions): Promise<SentByForm>
  /**
   * Opens a dialog in which the user adds funds to one of their wallets, in one of the ways that the app offers. Resolves once the wallet
   * has more than before, or the user has left a payment that is under way. One that was begun and not paid is offered by the next call.
   *
   * @param options what is funded, where it is shown, and a signal that closes it
   * @returns the method, the amount that has come or will, and the purchase where something was bought
   * @throws KitError `must_be_authenticated`, `feature_not_enabled` where the app has no funding, `invalid_configuration` where its
   * settings offer no method or name no chain, `invalid_request_arguments`, `unsupported_chain_id`, `embedded_wallet_not_found`, or
   * `exited_funding_flow` when the user closes the dialog before paying
   * @example
   * const { amount, symbol } = await kit.fundWallet({ chain: 'eip155:8453', amount: '0.02' })
   */
  fundWallet(options?: FundWalletOptions): Promise<FundedWallet>
  /**
   * Lets the person choose how their wallet is recovered on another device. The old method works until the
   * new one is confirmed. Resolves with the method: `user-passcode`, `google-drive`, `icloud`, or the
   * automatic one's name. Throws `embedded_wallet_not_found`, `user_exited_set_password_flow`, or what went
   * wrong.
   * @example
   * const method = await kit.setWalletRecovery()
   */
  setWalletRecovery(options?: SetRecoveryOptions): Promise<string>
  /**
   * Sets or replaces the recovery password.
   * @example
   * const wallet = await kit.setWalletPassword()
   */
  setWalletPassword(options?: RecoveryUiOptions): Promise<WalletAccount>
  /**
   * Shows the person their wallet's private key or recovery phrase in the vault's own window (strict apps) or frame
   * (compatible apps): neither the page nor the kit ever has it. Resolves when the dialog is closed. Throws
   * `must_be_authenticated`, `embedded_wallet_not_found`, or what went wrong.
   * @example
   * await kit.exportWallet()
   */
  exportWallet(options?: RecoveryUiOptions): Promise<void>
  /**
   * Lets the person add another account, in a dialog, and resolves with them as they are then. Somebody who comes back from a
   * provider's page continues by themselves, and the event `linked` tells of it. Throws a {@link KitError}:
   * `must_be_authenticated`; `cannot_link_more_of_type` where they have as many of that kind as may be;
   * `mfa_method_not_allowed` for the phone of somebody whose second factor are text messages; `exited_link_flow` when the dialog was closed; `failed_to_link_account`, or the server's code.
   * @example
   * const user = await kit.link('google')
   */
  link(method: LoginMethod, options?: LinkOptions): Promise<User>
  /**
   * Unlinks an account from the person, and resolves with them as they are then. Only where it is their last way in to this app a
   * dialog asks them first; before a passkey goes, somebody with a second factor is verified. Throws a {@link KitError}:
   * `must_be_authenticated`, `linked_account_not_found`, `not_supported` for an embedded wallet, a passkey that is enrolled in
   * MFA, and a login of the host's own, `exited_link_flow` when they keep it, what {@link KitMfa.prompt} throws, or the
   * server's code.
   * @example
   * const account = kit.user?.linkedAccounts.find(({ type }) => type === 'email')
   * if (account?.type === 'email') await kit.unlink({ type: 'email', address: account.address })
   */
  unlink(account: AccountToUnlink, options?: UnlinkOptions): Promise<User>
  /**
   * Lets the person replace their e-mail address, in a dialog, and resolves with them as they are then. Throws a
   * {@link KitError}: `must_be_authenticated`; `failed_to_update_account`, also when they have none;
   * `exited_update_flow` when the dialog was closed; or the server's code.
   * @example
   * const user = await kit.updateEmail()
   */
  updateEmail(options?: UpdateOptions): Promise<User>
  /**
   * Lets the person replace their phone number. Throws as {@link updateEmail} does.
   * @example
   * const user = await kit.updatePhone()
   */
  updatePhone(options?: UpdateOptions): Promise<User>
  /**
   * For hosts that draw their own screens: takes over an account of another user, who is deleted by that, after a link has
   * failed with `account_transfer_required`; the error's `data` has what it takes. Resolves with the person as they are
   * then. Throws a {@link KitError}: `must_be_authenticated`, `invalid_data`, or the server's code.
   * @example
   * import { KitError } from 'latchkey'
   *
   * try {
   *   await kit.link('google')
   * } catch (error) {
   *   if (error instanceof KitError && error.code === 'account_transfer_required')
   *     await kit.initiateTransfer(error.data as Parameters<typeof kit.initiateTransfer>[0])
   * }
   */
  initiateTransfer(request: TransferRequest): Promise<User>
  /** The passkeys of the person who is logged in; they are added by {@link link} and removed by {@link unlink}. */
  readonly passkeys: {
    /**
     * Shows the person their passkeys, where they add, rename and unlink them. Resolves, when they close it, with those that
     * they have then. Throws as {@link manageAccount} does.
     * @example
     * const passkeys = await kit.passkeys.manage()
     */
    manage(options?: ManageOptions): Promise<readonly PasskeyAccount[]>
    /**
     * Gives a passkey a name of the person's own: 1 to 64 visible characters. Throws a {@link KitError}:
     * `must_be_authenticated`, `invalid_data`, or the server's code.
     * @example
     * const [passkey] = await kit.passkeys.manage()
     * if (passkey) await kit.passkeys.rename(passkey.credentialId, 'Laptop')
     */
    rename(credentialId: string, name: string): Promise<User>
  }
  /**
   * Accepts the app's terms for the person, for hosts that show them on their own page.
   * @example
   * await kit.acceptTerms()
   */
  acceptTerms(): Promise<void>
  /**
   * Shows a message and signs it (EIP-191) with an embedded Ethereum wallet; a Solana wallet signs by
   * {@link solana}, and a wallet of another app, named by its address, as {@link CrossAppRequests.signMessage} says. The message is text, and that very text is signed,
   * also if it looks like hex: verify it as text. Bytes are signed through the provider. The first form resolves with the signature, the
   * second with an object that holds it. Throws a {@link KitError}: `invalid_message`, also for a text that
   * signs in at another site (ERC-4361),
   * `must_be_authenticated`, `embedded_wallet_not_found`, or `unable_to_sign` when the person declines.
   * @example
   * const { signature } = await kit.signMessage({ message: 'Hello' }, { uiOptions: { buttonText: 'Agree' } })
   */
  signMessage(message: string, uiOptions?: SignUiOptions, address?: string): Promise<string>
  signMessage(input: { message: string }, options?: SignOptions): Promise<{ signature: string }>
  /**
   * Displays typed data (EIP-712) and signs it with an embedded Ethereum wallet, or with a wallet of another app, named by its address, as
   * {@link CrossAppRequests.signTypedData} does.
   *
   * @param typedData `{ domain, types, primaryType, message }`, as `eth_signTypedData_v4` takes it; the message follows from the types
   * @param options with `acceptsEdited` the user may lower a permit
   * @returns the signature, and `typedData` as they were signed where the user has lowered a permit: the signature is valid for these
   * alone
   * @throws KitError `invalid_request_arguments`, `unsupported_chain_id` for a chain that the app doesn't have,
   * `must_be_authenticated`, `embedded_wallet_not_found`, or `unable_to_sign` when the user declines
   * @example
   * const { signature } = await kit.signTypedData({
   *   domain: { name: 'Harbor', chainId: 1 },
   *   types: { Vote: [{ name: 'proposal', type: 'uint256' }] },
   *   primaryType: 'Vote',
   *   message: { proposal: 12 },
   * })
   */
  signTypedData<const Types extends TypedDataTypes | Record<string, unknown>, const Primary extends string>(
    typedData: TypedDataInput<Types, Primary>,
    options?: SignTypedDataOptions,
  ): Promise<TypedDataSignature>
  /**
   * Has the user review a transaction, and signs it with an embedded Ethereum wallet without sending it.
   *
   * @returns the signed transaction, 0x-hex
   * @throws KitError as {@link sendTransaction} does
   * @example
   * const { signedTransaction } = await kit.signTransaction({
   *   to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
   *   value: 10n ** 15n,
   *   chainId: 8453,
   * })
   */
  signTransaction(
    transaction: TransactionRequestInput,
    options?: SignTransactionOptions,
  ): Promise<{ signedTransaction: string }>
  /**
   * Has the user review a transaction, signs it with an embedded Ethereum wallet, sends it, and waits for its receipt. Closing the
   * dialog after it was sent doesn't call it back. Several requests are reviewed one after the other. Where the user speeds it up, the hash
   * and the receipt are those of the transaction that was confirmed in its place. With the address of a smart wallet it becomes an operation, which has
   * a nonce, gas and fees of its own in place of the transaction's.
   *
   * @example
   * const { transactionHash } = await kit.sendTransaction({
   *   to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
   *   value: 10n ** 15n,
   *   chainId: 8453,
   * })
   * @throws KitError `invalid_request_arguments`, `unsupported_chain_id` for a chain that the app doesn't have,
   * `must_be_authenticated`, `embedded_wallet_not_found`, `unable_to_sign` when the user declines, `approval_required` for an unusual fee without a screen, `insufficient_funds`,
   * `signature_mismatch` where the vault signed another transaction than the one that was approved, which is not sent, or
   * `transaction_failure`, with `data.transactionHash` where the network failed, dropped or replaced it (`data.replacedBy`), as
   * after the user cancelled it
   */
  sendTransaction(
    transaction: TransactionRequestInput,
    options?: SignTransactionOptions,
  ): Promise<SentTransaction>
  /**
   * Fetches as the browser's own `fetch` does, and pays where the server asks for it by x402 (versions 1 and 2; scheme `exact` with a
   * signed transfer, EIP-3009, such as that of USDC): the user reviews what is bought, an embedded Ethereum wallet signs it, and the
   * request is sent once more. A response without status 402 comes back as it is. Off without `config.x402` and its caps.
   *
   * @param input an address or a request, as for `fetch`
   * @param init its body is sent twice, so it can't be a stream
   * @param options a lower cap for this call, the wallet that pays, and where it is reviewed
   * @returns the response to the request that was paid
   * @example
   * const response = await kit.fetchWithPayment('https://api.example.com/report', {}, { perPayment: { usd: 0.05 } })
   * console.log(await response.text())
   * @throws KitError before anything is signed: `payment_not_enabled`, `payment_cap_missing`, `payment_over_cap` (`data.left`),
   * `payment_not_supported` and `payment_terms_invalid` (`data.reason`), `request_not_repeatable`, `invalid_request_arguments`,
   * `insufficient_funds`, `flow_in_progress` for a request that is being paid already, `must_be_authenticated`,
   * `embedded_wallet_not_found`, `network_unavailable`, `client_request_timeout`, or `unable_to_sign` when the user declines. Once it was
   * signed, with {@link SignedPayment} in `data.payment`: `payment_refused` and `payment_terms_changed` for a seller that asks again,
   * `payment_unanswered` where no answer came. Like `fetch` it rejects with a `TypeError` where the first request fails, and with the
   * signal's reason.
   */
  fetchWithPayment(
    input: RequestInfo | URL,
    init?: RequestInit,
    options?: FetchWithPaymentOptions,
  ): Promise<Response>
  /**
   * Has the user review several calls of an embedded Ethereum wallet once, and sends them in their order, each once the one before it is
   * confirmed. A call that fails stops those after it. Those of a smart wallet are one operation: either all take effect or none does. Waits until nothing about them can change any more; closing the dialog after the
   * approval, or reloading the page, stops none of them and sends none twice.
   *
   * @param options the calls, and how they are reviewed
   * @returns the status, and the receipts of what the network has included
   * @example
   * const { status, receipts } = await kit.sendCalls({
   *   chainId: 8453,
   *   calls: [
   *     { to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', value: 10n ** 15n },
   *     { to: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', data: '0x' },
   *   ],
   * })
   * console.log(status === 200 ? receipts.length : 'not everything was carried out')
   * @throws KitError `invalid_request_arguments`, also for an `id` that the wallet has used (`data.code` 5720), `unsupported_chain_id` for a
   * chain that the app doesn't have, `must_be_authenticated`, `embedded_wallet_not_found`, or `unable_to_sign` when the user declines
   */
  sendCalls(options: SendCallsOptions): Promise<CallsStatus>
  /**
   * Returns the outcome of a batch of {@link sendCalls}, or of `wallet_sendCalls` of a library, within the 24 hours after it was approved; also after a
   * reload, and in another tab.
   *
   * @param id the batch's identifier
   * @returns its status; `null` for a batch that isn't known
   * @example
   * const batch = await kit.getCallsStatus('order-1234')
   * if (batch?.status === 600) console.log('Only a part was carried out')
   * @throws KitError `must_be_authenticated`, or `network_unavailable` where the network has to be asked and doesn't answer
   */
  getCallsStatus(id: string): Promise<CallsStatus | null>
  /** Logging in with accounts of other apps, asking their wallets, and answering other apps. */
  readonly crossApp: HeadlessMethods['crossApp'] & CrossAppRequests
  /**
   * Gives an embedded Ethereum wallet's own address the code of a contract on one chain (EIP-7702), once the user has reviewed what that
   * means, by a transaction that the wallet pays for. From then on several calls can be one transaction. The contract must be one that the
   * app's server allows; Simple7702Account of EntryPoint 0.8 by default. Its review is displayed in every app.
   *
   * @param options the chain, the contract and the wallet
   * @returns the hash and the receipt of the transaction
   * @example
   * const { transactionHash } = await kit.upgradeWallet({ chainId: 8453 })
   * @throws KitError as {@link sendTransaction} does; `invalid_request_arguments` also for a contract that the app doesn't allow and for
   * code that the wallet has already, `unsupported_chain_id` also for a chain without that contract
   */
  upgradeWallet(options?: UpgradeWalletOptions): Promise<SentTransaction>
  /**
   * Takes the code of a wallet's own address back on one chain, once the user has reviewed it, by a transaction that the wallet pays for.
   *
   * @param options the chain and the wallet
   * @returns the hash and the receipt of the transaction
   * @example
   * await kit.downgradeWallet({ chainId: 8453 })
   * @throws KitError as {@link upgradeWallet} does; `invalid_request_arguments` also for a wallet without code
   */
  downgradeWallet(options?: DowngradeWalletOptions): Promise<SentTransaction>
  /**
   * Has the user review an authorization of code for their wallet's own address (EIP-7702), and signs it without sending it: for apps
   * that send it by themselves, such as with a sponsored operation. It is for one chain and one nonce, and only for a
   * contract that the app's server allows; the zero address takes the code back.
   *
   * @param options the chain, the contract, the nonce and the wallet
   * @returns the authorization with its signature, as viem takes it
   * @example
   * const authorization = await kit.signAuthorization({ chainId: 8453 })
   * console.log(authorization.address, authorization.nonce)
   * @throws KitError as {@link upgradeWallet} does
   */
  signAuthorization(options?: SignAuthorizationOptions): Promise<SignedAuthorization>
  /** Signing and sending with an embedded Solana wallet. */
  readonly solana: KitSolana
  /**
   * What the user's wallets sent from this browser, newest first; empty until their wallets are loaded. It survives a reload, is shared by
   * the tabs, and is followed until the network has decided, also where the tab that sent it was closed.
   *
   * @example
   * kit.activity.subscribe(() => {
   *   const waiting = kit.activity.get().filter(({ status }) => status === 'pending')
   *   document.title = waiting.length > 0 ? `(${waiting.length}) Harbor` : 'Harbor'
   * })
   */
  readonly activity: Readable<readonly ActivityEntry[]>
  /**
   * What the user's embedded wallets hold: the networks' own coins and the tokens of `config.tokens`, on the chains that the app names (its
   * default chain otherwise). Empty until `refresh()` is called; then they are also read after each transaction of the user. Amounts
   * are in smallest units, and each is a claim of the network's node. A network that doesn't answer is a `status`, and no error. What is held
   * has a `price` where the app's server has one that is fresh.
   *
   * @example
   * const balances = await kit.balances.refresh()
   * const ether = balances.find(({ chain, kind }) => chain === 'eip155:1' && kind === 'coin')
   */
  readonly balances: Readable<readonly Balance[]> & {
    /**
     * Reads all of them. Resolves once each is known, or the time of its network is over (15 s).
     *
     * @returns all balances
     * @throws KitError `must_be_authenticated`
     * @example
     * const balances = await kit.balances.refresh()
     */
    refresh(): Promise<readonly Balance[]>
  }
  /**
   * The connected external wallets: the active one first, then the most recent. Those of an earlier visit
   * reconnect by themselves.
   */
  readonly wallets: Readable<readonly ConnectedWallet[]>
  /**
   * The embedded wallets of the person who is logged in, those of index 0 first. The page's libraries find
   * them by themselves.
   */
  readonly embeddedWallets: Readable<readonly EmbeddedWallet[]>
  /** The smart wallets of the user who is logged in. */
  readonly smartWallets: Readable<readonly SmartWallet[]>
  /**
   * Creates the user's smart wallet, and resolves with it; the one that there is already is returned at once. Its address follows from the user's
   * first embedded Ethereum wallet, whose key signs a message that links the two. Its contract is deployed with the first operation.
   *
   * @param options how the message is reviewed
   * @returns the smart wallet, whose address {@link sendTransaction}, {@link sendCalls}, {@link signMessage} and {@link signTypedData} take
   * @example
   * const { address } = await kit.createSmartWallet()
   * const { transactionHash } = await kit.sendTransaction(
   *   { to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', value: 1n, chainId: 8453 },
   *   { address },
   * )
   * @throws KitError `must_be_authenticated`, `feature_not_enabled` in an app without smart wallets, `embedded_wallet_not_found` for a user without
   * an embedded Ethereum wallet, or `unable_to_sign` when the user declines
   */
  createSmartWallet(options?: CreateSmartWalletOptions): Promise<SmartWallet>
  /**
   * Lets the person connect a wallet without logging in, and resolves with it. Throws a {@link KitError}:
   * `generic_connect_wallet_error` when the dialog was closed, or what went wrong.
   * @example
   * const wallet = await kit.connectWallet()
   * console.log(wallet.address)
   */
  connectWallet(options?: ConnectWalletOptions): Promise<ConnectedWallet>
  /**
   * The same for people who may have no wallet: every other login method logs them in and creates one.
   * Resolves with the connected wallet, or with the person. Throws `invalid_state` when somebody is logged in
   * already.
   * @example
   * const result = await kit.connectOrCreateWallet()
   * if ('wallet' in result) console.log(result.wallet.address)
   */
  connectOrCreateWallet(
    options?: ConnectOrCreateOptions,
  ): Promise<{ wallet: ConnectedWallet } | { user: User }>
  /**
   * Changes the host's configuration or words; what is on screen keeps the old ones.
   * @example
   * kit.configure({ config: { appearance: { theme: 'dark' } } })
   */
  configure(options: Pick<KitOptions, 'config' | 'copy'>): void
  /**
   * Offers a place for dialogs; the last one offered is used. Returns a function that withdraws it.
   * @example
   * import type { Kit } from 'latchkey'
   *
   * function offer(surface: Parameters<Kit['attach']>[0]) {
   *   return kit.attach(surface)
   * }
   */
  attach(surface: Surface): () => void
  /**
   * Stops tabs, timers and frames of this kit; it can't be used afterwards.
   * @example
   * kit.destroy()
   */
  destroy(): void
}
