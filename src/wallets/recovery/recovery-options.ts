import type { Config } from '../../app/config.ts'
import type { RecoverySecret } from '../embedded/embedded-wallets.ts'
import { ownMethodOf } from './recovery-data.ts'

/** A recovery method of the person's own. */
export type OwnMethod = Exclude<RecoverySecret['method'], 'automatic'>

/** What an app offers for recovery: the host's settings over the server's. */
export interface RecoveryOptions {
  /** The methods that this version supports, in the order of the settings. */
  readonly methods: readonly OwnMethod[]
  /** A wallet is created only with one of them. */
  readonly required: boolean
}
export function recoveryOptionsOf({ host, app }: Config): RecoveryOptions {
  const set = app.recovery
  const hostOptions = host.embeddedWallets
  const methods = (hostOptions?.userOwnedRecoveryOptions ?? set.options).map(ownMethodOf).filter(isOwn)
  return {
    methods: [...new Set(methods)],
    required: (hostOptions?.requireUserOwnedRecoveryOnCreate ?? false) || set.required,
  }
}

const isOwn = (method: RecoverySecret['method'] | undefined): method is OwnMethod =>
  method !== undefined && method !== 'automatic'
