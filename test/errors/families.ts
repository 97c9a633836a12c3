import type { KitError } from '../../src/errors/kit-error.ts'
import type { Verdict } from '../../src/errors/verdict.ts'
import { captchaVerdict } from '../../src/login/captcha/errors.ts'
import { farcasterVerdict } from '../../src/login/farcaster/errors.ts'
import { oauthVerdict } from '../../src/login/oauth/errors.ts'
import { passkeyVerdict } from '../../src/login/passkey/errors.ts'
import { telegramVerdict } from '../../src/login/telegram/errors.ts'
import { walletVerdict } from '../../src/wallets/connect/errors.ts'

export type Judge = (error: KitError) => Verdict
/** A code that no table knows: it gets the row for everything else. */
export const unknown = 'brand_new_code'

/** More of a failure: what it says, and what a person then sees. */
interface Failing {
  message?: string
  retryable?: boolean
  title?: string
  /** Who judges it, where that is another than the heading's. */
  judge?: Judge
}

/** What a heading's sentence means: the words, and the failures that lead to them. */
export interface Family {
  heading: string
  judge: Judge
  /** What replaces the dots in quotes. */
  name?: string
  /** Sentences that a screen shows: quote → the failure, and whether it can be tried again. */
  shown: Record<string, [code: string, more?: Failing][]>
  /** Sentences that programs read: they are in the source unchanged, up to what stands for a name. */
  told?: string[]
  /** Sentences of parts that don't exist yet. */
  later?: string[]
  /** Rows of ours for what the heading does not name. */
  ours: string[]
  title?: string
}
export const families: Family[] = [
  {
    heading: 'OAuth',
    judge: oauthVerdict('Google'),
    name: 'Google',
    title: 'Authentication failed',
    shown: {
      'Authentication failed': [[unknown]],
      'This account has already been linked to another user.': [
        ['linked_to_another_user', { retryable: false }],
      ],
      'Something went wrong. Try again.': [['invalid_credentials', { retryable: true }]],
      'Retry and check ... to finish connecting your account.': [['oauth_user_denied', { retryable: true }]],
      'Too many requests. Please wait before trying again.': [['too_many_requests']],
      'Request limit reached for ... Please wait a moment and try again.': [
        ['too_many_requests', { message: 'The provider rate limit was reached' }],
      ],
      'Your ... account is suspended. Please try another login method.': [['oauth_account_suspended']],
      'You cannot authorize more than one account for this user.': [['cannot_link_more_of_type']],
      'Unexpected auth flow. This may be a phishing attempt.': [['oauth_unexpected', { retryable: false }]],
    },
    told: ['Invalid code during OAuth flow.', 'Unexpected auth flow. This may be a phishing attempt.'],
    later: [
      'User denied confirmation during cross-app auth flow',
      'Invalid code during cross-app auth flow.',
      'Recovery OAuth failed',
    ],
    ours: [
      ...['signup_disabled', 'popup_timeout', 'oauth_state_mismatch', 'invalid_pkce_parameters'],
      ...['invalid_captcha', 'network_unavailable', 'client_request_timeout', 'session_storage_unavailable'],
      'disallowed_login_method',
    ],
  },
  {
    heading: 'Telegram',
    judge: telegramVerdict,
    name: 'Telegram',
    shown: {
      'This account has already been linked to another user.': [
        ['linked_to_another_user', { retryable: false }],
      ],
      'Login with Telegram not allowed.': [['disallowed_login_method', { retryable: false }]],
      'Something went wrong. Try again.': [
        ...['invalid_data', 'cannot_link_more_of_type', 'invalid_credentials'],
        ...['invalid_captcha', 'captcha_timeout', 'captcha_failure'],
      ].map((code): [string, { retryable: boolean }] => [code, { retryable: true }]),
      'Too many requests. Please wait before trying again.': [['too_many_requests']],
      'Request limit reached for Telegram. Please wait a moment and try again.': [
        ['too_many_requests', { message: 'rate limit reached' }],
      ],
      'Telegram auth failed or was canceled by the client': [['telegram_canceled']],
      'Telegram was not initialized': [['telegram_not_initialized']],
      'Telegram Auth configuration is not loaded': [['telegram_not_configured']],
    },
    ours: [
      'signup_disabled',
      'client_request_timeout',
      'network_unavailable',
      'invalid_configuration',
      'invalid_origin',
    ],
  },
  {
    heading: 'Passkey',
    judge: passkeyVerdict,
    shown: {
      'Passkey request timed out or rejected by user.': [['passkey_not_allowed', { retryable: true }]],
      'Cannot link more passkeys to account.': [['cannot_link_more_of_type']],
      'Unknown error occurred.': [[unknown, { retryable: true }]],
      'WebAuthn is not supported in this browser': [['passkey_not_supported', { retryable: false }]],
    },
    told: ['Passkey request timed out or rejected by user.', 'Unknown error occurred.'],
    ours: [
      ...['signup_disabled', 'linked_to_another_user', 'disallowed_login_method', 'too_many_requests'],
      ...['invalid_captcha', 'invalid_configuration', 'invalid_origin', 'client_request_timeout'],
      'network_unavailable',
    ],
  },
  {
    heading: 'Farcaster',
    judge: farcasterVerdict,
    shown: {
      'The request timed out. Try again.': [['farcaster_timeout', { retryable: true }]],
      'Request rejected': [['farcaster_rejected']],
      'The request was rejected. Please try again.': [
        ['farcaster_rejected', { retryable: true, title: 'Request rejected' }],
      ],
      'Connect failed': [[unknown]],
      'Something went wrong. Please try again.': [[unknown, { retryable: true, title: 'Connect failed' }]],
    },
    ours: [
      ...['signup_disabled', 'linked_to_another_user', 'disallowed_login_method', 'too_many_requests'],
      ...['invalid_captcha', 'client_request_timeout', 'network_unavailable', 'invalid_configuration'],
      'invalid_origin',
    ],
  },
  {
    heading: 'Captcha',
    judge: captchaVerdict,
    shown: {
      'Please try again.': [['invalid_captcha', { retryable: true, title: 'Something went wrong' }]],
      'You did not pass CAPTCHA. Please try again.': [
        ['captcha_failure', { retryable: true, title: 'Something went wrong' }],
      ],
      'Something went wrong! Please try again later.': [
        ['captcha_timeout', { title: 'Something went wrong!' }],
      ],
    },
    told: ['Captcha failed'],
    ours: ['network_unavailable', 'invalid_configuration'],
  },
  {
    heading: 'Wallet connection',
    judge: walletVerdict('MetaMask'),
    shown: {
      'Unable to connect wallet': [
        'wallet_rejected',
        'wallet_timeout',
        'unknown_connect_wallet_error',
        unknown,
      ].map((code): [string, Failing] => [code, { judge: walletVerdict('MetaMask', 2), retryable: false }]),
      'Wallet was already linked.': [['resource_conflict', { retryable: false }]],
      'Unable to connect to wallet': [
        ['generic_connect_wallet_error'],
        ...['wallet_no_accounts', 'wallet_disconnected'].map((code): [string, Failing] => [
          code,
          { retryable: true },
        ]),
      ],
      "Wallet couldn't be connected": [['unknown_connect_wallet_error', { retryable: true }]],
      'Something went wrong': [[unknown, { retryable: true }]],
      "We're on it. Please try again later.": [[unknown, { title: 'Something went wrong' }]],
      'Unable to authorize user': [
        ['must_be_authenticated', { retryable: false }],
        ['missing_or_invalid_token', { retryable: false }],
      ],
    },
    told: [
      ...['Wallet is not currently connected.', 'Unable to determine current chainId.', 'Disconnected'],
      ...['Unable to retrieve accounts', 'Unable to retrieve address', 'No auth flow in progress.'],
      ...['Rainbow does not support the chainId', 'Switching networks', 'Use a different wallet'],
      ...['Cannot connect to wallet proxy', 'Unsupported wallet {id}'],
    ],
    later: [
      // Faults of a program's own making that can't come about here: what needs a session or a kit is given it.
      ...['Session has no API instance', 'Session has no PrivyClient instance'],
      'Recovery method not supported',
    ],
    ours: [
      ...['wallet_rejected', 'wallet_timeout', 'wallet_request_pending', 'wallet_unauthorized'],
      ...[
        'wallet_not_available',
        'wallet_not_installed',
        'wallet_signing_unsupported',
        'popup_blocked',
        'token_already_used',
      ],
      ...['unsupported_chain_id', 'unsupported_method', 'network_unavailable', 'invalid_credentials'],
      ...['cannot_link_more_of_type', 'signup_disabled', 'linked_to_another_user', 'client_request_timeout'],
      ...['disallowed_login_method', 'too_many_requests', 'invalid_captcha', 'invalid_configuration'],
      ...['invalid_origin', 'not_supported'],
    ],
  },
]
