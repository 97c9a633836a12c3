import type { KitError } from '../../errors/kit-error.ts'
import { refusedByApp } from '../../errors/of-every-method.ts'
import { judge, type Table, type Verdict, type Words } from '../../errors/verdict.ts'

/** Failures of a social login. The title is always the same; the words name the provider. */
export function oauthVerdict(provider: string): (error: KitError) => Verdict {
  const table = oauthTable(provider)
  return (error) => judge({ ...table, otherwise: again(own(error)) }, error)
}

function oauthTable(provider: string) {
  const values = { provider }
  return {
    ...refusedByApp,
    account_transfer_required: { show: 'conflict', words: { key: 'error.oauth.linked' } },
    linked_to_another_user: ends({ key: 'error.oauth.linked' }),
    invalid_credentials: again({ key: 'error.oauth.again' }),
    oauth_user_denied: again({ key: 'error.oauth.denied', values }),
    // For the person, a window that never answered is like one that was closed.
    popup_timeout: again({ key: 'error.oauth.denied', values }),
    too_many_requests: (error: KitError) =>
      again(
        /provider.*rate limit|rate limit.*provider/i.test(error.shortMessage)
          ? { key: 'error.oauth.providerLimit', values }
          : { key: 'error.oauth.tooMany' },
      ),
    oauth_account_suspended: ends({ key: 'error.oauth.suspended', values }),
    cannot_link_more_of_type: ends({ key: 'error.oauth.cannotLinkMore' }),
    oauth_unexpected: ends({ key: 'error.oauth.unexpected' }),
    oauth_state_mismatch: again({ key: 'error.oauth.again' }),
    invalid_pkce_parameters: again({ key: 'error.oauth.again' }),
    invalid_captcha: again({ key: 'error.captcha.detail' }),
    // Faults of the environment.
    network_unavailable: again({ key: 'error.network.detail' }),
    client_request_timeout: again({ key: 'error.timeout.detail' }),
    session_storage_unavailable: ends({ key: 'error.oauth.nothingKept' }),
    disallowed_login_method: (error: KitError) => ends(own(error)),
  } as const satisfies Table
}

/** Other server codes pass with the server's message; our own messages are for programs. */
const own = (error: KitError): Words =>
  error.status !== undefined && error.shortMessage
    ? { server: error.shortMessage }
    : { key: 'error.oauth.again' }

const screen = (detail: Words, retryable: boolean) =>
  ({ show: 'screen', title: 'error.oauth.title', detail, retryable }) as const
/** Worth another try with the same provider. */
const again = (detail: Words) => screen(detail, true)
/** Trying again would end the same way. */
const ends = (detail: Words) => screen(detail, false)
