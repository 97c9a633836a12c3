import type { LoginAsked } from '../protocol/cross-app.ts'
import type { SocialName, User } from '../protocol/user.ts'

/** What a wallet has signed, and which wallet that was. */
export interface SignedByWallet {
  signature: string
  /** The message that was generated last, by default. */
  message?: string
  /** `metamask`, `phantom` … */
  walletClientType?: string
  /** `injected`, `wallet_connect_v2` … */
  connectorType?: string
}

/** What a host says to take an account over from another user. */
export interface TransferRequest {
  /** From the error of the link, where it is good for one transfer. */
  nonce: string
  /** The address, number or id of the account, as it was to be linked. */
  account: string
  accountType: 'email' | 'sms' | 'siwe' | 'farcaster' | 'telegram' | SocialName
  /** For a wallet. */
  externalWalletMetadata?: { chainId?: string; walletClientType?: string; connectorType?: string }
  /** For a Telegram account: what Telegram has signed. */
  telegramAuthResult?: object
  /** For a Farcaster account: the wallet that the error names. */
  farcasterEmbeddedAddress?: string
  /** For an account at a provider: the profile that the error has. */
  oAuthUserInfo?: object
}

/** What a host can do without our screens, method by method. */
export interface HeadlessCalls {
  captcha: {
    /**
     * A token for one call that begins a login (`captchaToken`), for hosts that draw their own screens.
     * Without a container the captcha runs at the page's edge, invisible unless it has a question. Throws a
     * {@link KitError}: `captcha_disabled` if the app has none, `captcha_failure`, `captcha_timeout`.
     */
    token(options?: { container?: HTMLElement; signal?: AbortSignal }): Promise<string>
  }
  crossApp: {
    /** Loads what {@link login} needs, so that its window opens within the click. */
    prepare(): Promise<void>
    /**
     * Logs in with the account of another app, in a separate window; call it within a click. Throws a {@link
     * KitError}: `cross_app_invalid_app`, `popup_blocked`, `popup_closed`, `popup_timeout`,
     * `oauth_user_denied`, or the server's code.
     */
    login(input: { appId: string; disableSignup?: boolean; captchaToken?: string }): Promise<User>
    /** Adds the account to the person who is logged in. Throws as {@link login} does, and `must_be_authenticated`. */
    link(input: { appId: string }): Promise<User>
    /**
     * Logs the user in at another app that has sent them to this page to ask, once they have agreed here. Resolves with the address
     * to go to next. Where they have a wallet, in a strict app, the vault's own window asks them as well. Throws `must_be_authenticated`,
     * `oauth_state_mismatch` if the login is no longer open, `exited_update_flow` if they turn back, or what went wrong.
     */
    grant(asked: LoginAsked): Promise<string>
  }
  customAuth: {
    /**
     * Brings the session in line with the host's own login (`config.customAuth`): logs in with its token, or
     * out if it has none. The kit does so at the start and whenever the configuration changes; call it when
     * somebody has logged in or out. Resolves with the person who is logged in afterwards. Throws a {@link
     * KitError}.
     */
    sync(): Promise<User | null>
  }
  email: {
    /** Sends a code. Throws a `KitError` with the server's code. */
    sendCode(input: { email: string; disableSignup?: boolean; captchaToken?: string }): Promise<void>
    /** Logs in with the code that was sent. Throws a `KitError` with the server's code. */
    loginWithCode(input: { code: string }): Promise<User>
    /**
     * Adds the address to which the code was sent to the person who is logged in. Throws a `KitError`:
     * `must_be_authenticated`, `cannot_link_more_of_type`, or the server's code.
     */
    linkWithCode(input: { code: string }): Promise<User>
    /**
     * Puts that address in the place of the person's old one. Throws a `KitError`: `must_be_authenticated`,
     * `failed_to_update_account` if they have none, or the server's code.
     */
    updateWithCode(input: { code: string }): Promise<User>
  }
  sms: {
    /** Sends a code to a number in international form. Throws a `KitError` with the server's code. */
    sendCode(input: { phoneNumber: string; disableSignup?: boolean; captchaToken?: string }): Promise<void>
    /** Logs in with the code that was sent. Throws a `KitError` with the server's code. */
    loginWithCode(input: { code: string }): Promise<User>
    /** Adds the number to which the code was sent to the person who is logged in. Throws as that of `email` does. */
    linkWithCode(input: { code: string }): Promise<User>
    /** Puts that number in the place of the person's old one. Throws as that of `email` does. */
    updateWithCode(input: { code: string }): Promise<User>
  }
  farcaster: {
    /**
     * Opens a request to the Farcaster app. Show `uri` as a code to scan or, on a phone, as a link; `done`
     * resolves with the person once they have approved. Both throw a {@link KitError}: `farcaster_timeout`
     * after two minutes, `farcaster_rejected`, `flow_in_progress` when a later call replaced it, or the
     * server's code.
     */
    connect(input?: {
      disableSignup?: boolean
      captchaToken?: string
      signal?: AbortSignal
    }): Promise<{ uri: string; done: Promise<User> }>
    /** The same, which adds the account to the person who is logged in. */
    link(input?: { signal?: AbortSignal }): Promise<{ uri: string; done: Promise<User> }>
    /** For a page that runs inside the Farcaster app: a nonce for the message that the app is to sign. */
    initLoginToFrame(): Promise<{ nonce: string }>
    /** Logs in with that message. Throws a {@link KitError}: `invalid_data`, or the server's code. */
    loginToFrame(input: { message: string; signature: string; disableSignup?: boolean }): Promise<User>
  }
  guest: {
    /**
     * Logs in as this browser's guest, who is made when there is none. The first login turns the guest into a user
     * with the same id and wallet. Throws a {@link KitError}: `invalid_state` when somebody is logged in already.
     */
    create(): Promise<User>
  }
  oauth: {
    /**
     * Leaves the page for a social provider; the login follows after the return, without a dialog, as the event
     * `login`. In a frame, and where `config.oauth.returnBy` says so, it opens a window instead, and has to be called
     * within a click. Throws a {@link KitError}: `in_app_browser`, `oauth_user_denied`, `popup_blocked`, or the
     * server's code.
     */
    initOAuth(input: { provider: string; disableSignup?: boolean; captchaToken?: string }): Promise<void>
    /**
     * The same, which adds the account to the person who is logged in; the event `linked` tells when it is done. Throws
     * in addition `must_be_authenticated` and `cannot_link_more_of_type`.
     */
    link(input: { provider: string }): Promise<void>
  }
  passkey: {
    /**
     * Asks for a passkey and logs in with it. Throws a {@link KitError}: `passkey_not_allowed` when the
     * person declined, had none or never answered, `passkey_not_supported`, `flow_in_progress` when another
     * request replaced it, `invalid_configuration` when this page may not use passkeys, or the server's code.
     */
    login(input?: { credentialIds?: readonly string[]; captchaToken?: string }): Promise<User>
    /** Creates a passkey and signs up with it, if the app allows that. Throws as {@link login} does. */
    signup(input?: { captchaToken?: string }): Promise<User>
    /**
     * Creates a passkey and adds it to the person who is logged in. Throws as {@link login} does, and in addition
     * `must_be_authenticated` and `cannot_link_more_of_type`.
     */
    link(): Promise<User>
  }
  siwe: {
    /**
     * Generates the message with which an Ethereum wallet logs in (EIP-4361); the wallet signs it with
     * `personal_sign`. Called `generateSiweMessage` in other kits. Throws a {@link KitError}: `invalid_data`,
     * `unsupported_chain_id`, or the server's code.
     * @param input.chainId CAIP-2: `eip155:1` by default
     */
    generateMessage(input: { address: string; chainId?: string; captchaToken?: string }): Promise<string>
    /**
     * Logs in with the signature of that message. Called `loginWithSiwe` in other kits. Throws a {@link
     * KitError}: `invalid_state` if no message was generated, or the server's code.
     */
    login(input: SignedByWallet & { disableSignup?: boolean }): Promise<User>
    /**
     * Links the wallet to the person who is logged in. Called `linkWithSiwe` in other kits. Throws as {@link
     * login} does.
     */
    link(input: SignedByWallet): Promise<User>
  }
  siws: {
    /**
     * Generates the message with which a Solana wallet logs in. Throws a {@link KitError} as that of `siwe`
     * does.
     */
    generateMessage(input: { address: string; captchaToken?: string }): Promise<string>
    /** Logs in with the signature of that message, in base64. Throws a {@link KitError} as that of `siwe` does. */
    login(input: SignedByWallet & { disableSignup?: boolean }): Promise<User>
    /** Links the wallet to the person who is logged in. Throws as {@link login} does. */
    link(input: SignedByWallet): Promise<User>
  }
  telegram: {
    /** Loads Telegram's script, so that the window of {@link login} opens within the click. */
    prepare(): Promise<void>
    /**
     * Asks the person in Telegram's window and logs them in; call it within a click. Throws a {@link
     * KitError}: `telegram_canceled`, `telegram_not_initialized`, `telegram_not_configured`, or the server's
     * code.
     */
    login(input?: { disableSignup?: boolean; captchaToken?: string }): Promise<User>
    /** Asks in Telegram's window, and adds the account to the person who is logged in. Throws as {@link login} does. */
    link(): Promise<User>
  }
}
