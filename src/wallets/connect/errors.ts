import type { CopyKey, PlainKey } from '../../copy/copy.ts'
import type { KitError } from '../../errors/kit-error.ts'
import { ofEveryMethod } from '../../errors/of-every-method.ts'
import { judge, serverText, type Table, type Verdict, type Words } from '../../errors/verdict.ts'
import { walletsLimits } from '../limits.ts'

/**
 * What a connection error means. If another try is pointless, the person is asked for a different wallet.
 * @param wallet the wallet's name
 * @param retries the retries so far: after two, no other is offered
 */
export function walletVerdict(wallet: string, retries = 0): (error: KitError) => Verdict {
  const table = tableOf(wallet)
  return (error) => {
    const verdict = judge(table, error)
    if (verdict.show !== 'screen' || !verdict.retryable || retries < walletsLimits.walletConnectionRetries)
      return verdict
    return {
      ...verdict,
      title: 'error.connect.tired',
      detail: { key: 'error.connect.tiredDetail' },
      retryable: false,
    }
  }
}

function tableOf(wallet: string) {
  const values = { wallet }
  const about = (key: CopyKey): Words => ({ key, values })
  return {
    ...ofEveryMethod,
    wallet_rejected: again('error.connect.rejectedTitle', about('error.connect.rejected')),
    popup_blocked: again('error.connect.windowTitle', { key: 'error.connect.window' }),
    wallet_timeout: again('error.timeout.title', about('error.connect.timeout')),
    wallet_no_accounts: again('error.connect.title', about('error.connect.noAccounts')),
    wallet_disconnected: again('error.connect.title', about('error.connect.disconnected')),
    wallet_request_pending: ends('error.connect.pendingTitle', about('error.connect.pending')),
    wallet_unauthorized: ends('error.connect.title', about('error.connect.unauthorized')),
    wallet_not_available: ends('error.connect.title', about('error.connect.notAvailable')),
    wallet_not_installed: ends('error.connect.title', about('error.connect.notInstalled')),
    wallet_signing_unsupported: ends('error.connect.signingTitle', about('error.connect.signing')),
    unsupported_chain_id: ends('error.connect.chainTitle', about('error.connect.chain')),
    unsupported_method: ends('error.connect.methodTitle', about('error.connect.method')),
    // Whether the same request may succeed another time.
    generic_connect_wallet_error: ({ retryable }) =>
      screen('error.connect.title', about('error.connect.generic'), retryable),
    unknown_connect_wallet_error: again('error.connect.unknownTitle', about('error.connect.unknown')),
    network_unavailable: again('error.connect.title', { key: 'error.network.detail' }),

    // The server's answers to a signature.
    invalid_credentials: again('error.connect.signatureTitle', { key: 'error.connect.signature' }),
    resource_conflict: ends('error.connect.linkedTitle', { key: 'error.connect.linked' }),
    cannot_link_more_of_type: (error) =>
      ends('error.linked.title', serverText(error, 'error.generic.detail')),
    // A contract on a chain that the server can't ask, or an embedded wallet.
    not_supported: (error) => ends('error.connect.methodTitle', serverText(error, 'error.generic.detail')),
    account_transfer_required: { show: 'conflict', words: { key: 'error.linked.detail' } },
    // The session in a link to the wallet's browser can be used once.
    token_already_used: ends('error.connect.linkTitle', about('error.connect.link')),
    missing_or_invalid_token: ends('error.connect.unable', { key: 'error.session' }),
    must_be_authenticated: ends('error.connect.unable', { key: 'error.session' }),
    otherwise: again('error.generic.title', { key: 'error.connect.failed' }),
  } satisfies Table
}

const screen = (title: PlainKey, detail: Words, retryable: boolean) =>
  ({ show: 'screen', title, detail, retryable }) as const
/** Worth another try with the same wallet. */
const again = (title: PlainKey, detail: Words) => screen(title, detail, true)
/** Trying again would end the same way. */
const ends = (title: PlainKey, detail: Words) => screen(title, detail, false)
