import type { Approving } from './approval/service.ts'
import type { Devices } from './devices/service.ts'
import type { EmbeddedWallets } from './embedded/embedded-wallets.ts'
import type { Exporting } from './export/service.ts'
import type { ExternalWallets } from './external/connector.ts'
import type { DriveAccess } from './recovery/drives/drive-access.ts'

/** The services for a person's wallets. Each is loaded with its first use. */
export interface WalletServices {
  /** The embedded wallets, whose keys are in the vault. */
  readonly embedded: () => Promise<EmbeddedWallets>
  /** Access to a person's own cloud drive, which may hold a recovery secret. */
  readonly drives: () => Promise<DriveAccess>
  /** Shows the keys of embedded wallets, in the vault's own frame. */
  readonly exporting: () => Promise<Exporting>
  /** Has the person approve what the vault does, in the vault's own frame. */
  readonly approving: () => Promise<Approving>
  /** The devices that may use the person's wallets. */
  readonly devices: () => Promise<Devices>
  /** The external wallets: browser extensions, WalletConnect, Coinbase. */
  readonly external: () => Promise<ExternalWallets>
}
