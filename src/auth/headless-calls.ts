import type { User } from '../wire/user.ts'

/** What a host can do without any of our screens, method by method. Spec §4 "Flow states", wire 12.4. */
export interface HeadlessCalls {
  captcha: {
    /**
     * A token for one call that begins a login (`captchaToken`), for hosts that draw their own screens. Without a
     * container the captcha runs at the page's edge, invisible unless it has something to ask. Throws a
     * {@link KitError}: `captcha_disabled` where the app has none, `captcha_failure`, `captcha_timeout`.
     */
    token(options?: { container?: HTMLElement; signal?: AbortSignal }): Promise<string>
  }
  customAuth: {
    /**
     * Brings the session in line with the host's own login (`config.customAuth`): logs in with its token, or out when
     * it has none. The kit does so at the start and whenever the configuration changes; a host says by this that
     * somebody has come or gone. Resolves with who is in afterwards. Throws a {@link KitError}.
     */
    sync(): Promise<User | null>
  }
  email: {
    /** Sends a code. Throws a `KitError` with the server's code. */
    sendCode(input: { email: string; disableSignup?: boolean; captchaToken?: string }): Promise<void>
    /** Logs in with the code that was sent. Throws a `KitError` with the server's code. */
    loginWithCode(input: { code: string }): Promise<User>
  }
  sms: {
    /** Sends a code to a number in international form. Throws a `KitError` with the server's code. */
    sendCode(input: { phoneNumber: string; disableSignup?: boolean; captchaToken?: string }): Promise<void>
    /** Logs in with the code that was sent. Throws a `KitError` with the server's code. */
    loginWithCode(input: { code: string }): Promise<User>
  }
  guest: {
    /**
     * Logs in as this browser's guest, who is made when there is none. The first login turns the guest into a user
     * with the same id and wallet. Throws a {@link KitError}: `invalid_state` when somebody is logged in already.
     */
    create(): Promise<User>
  }
  telegram: {
    /** Loads Telegram's script, so that the window of {@link login} opens within the click. */
    prepare(): Promise<void>
    /**
     * Asks the person in Telegram's window and logs them in; to be called within a click. Throws a {@link KitError}:
     * `telegram_canceled`, `telegram_not_initialized`, `telegram_not_configured`, or the server's code.
     */
    login(input?: { disableSignup?: boolean; captchaToken?: string }): Promise<User>
  }
}
