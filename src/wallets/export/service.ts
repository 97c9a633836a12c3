import { KitError } from '../../errors/kit-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { exportTicket } from '../../protocol/export-ticket.ts'
import { exportUrl } from '../../protocol/frame/export.ts'
import type { Http } from '../../protocol/http.ts'
import type { Session } from '../../session/session.ts'
import type { EmbeddedAccount } from '../embedded/embedded-wallets.ts'
import { type ExportEvents, type ExportFrame, openExport } from './export-frame.ts'

/** Shows keys, in frames of the vault. */
export interface Exporting {
  /**
   * Opens the frame for one wallet, with a ticket of its own. Throws `must_be_authenticated`, or the server's
   * error.
   * @param input.root the wallet by which the vault knows the secret behind it
   */
  open(input: {
    wallet: EmbeddedAccount
    root: EmbeddedAccount
    events: ExportEvents
    signal: AbortSignal
  }): Promise<ExportFrame>
}

export function createExporting(cx: {
  appId: string
  clientId: string | undefined
  vaultUrl: string
  http: () => Http
  session: Session
  clock: Clock
  analyticsId(): string
}): Exporting {
  const { appId, clientId, vaultUrl, clock } = cx
  return {
    async open({ wallet, root, events, signal }) {
      const accessToken = await cx.session.accessToken()
      if (!accessToken)
        throw new KitError(
          'must_be_authenticated',
          'User must be authenticated before exporting their wallet',
        )
      const { address, chainType, imported, walletIndex = 0 } = wallet
      const ticket = await exportTicket(cx.http(), address, { signal })
      const view = {
        appId,
        clientId,
        analyticsId: cx.analyticsId(),
        ticket,
        rootAddress: root.address,
        rootChain: root.chainType,
        address,
        chainType,
        walletIndex,
        imported,
      }
      const url = (look: Parameters<ExportFrame['mount']>[1]) => exportUrl(vaultUrl, { ...view, ...look })
      return openExport({ url, accessToken, clock, events, signal })
    },
  }
}
