import type { Config } from '../../config.ts'
import { recoverySettingsOf } from '../../wire/app-extras.ts'
import type { RecoverySecret } from './embedded-wallets.ts'
import { ownMethodOf } from './recovery-data.ts'

/** A way of recovery that is the person's own. Spec §2 "Recovery selection". */
export type OwnMethod = Exclude<RecoverySecret['method'], 'automatic'>

/** What an app offers for recovery: the host's wishes over the server's settings. */
export interface RecoveryOptions {
  /** Those that this version can do, in the order of the settings. */
  readonly methods: readonly OwnMethod[]
  /** A wallet is made only with one of them. */
  readonly required: boolean
}
export function recoveryOptionsOf({ host, app }: Config): RecoveryOptions {
  const set = recoverySettingsOf(app)
  const wishes = host.embeddedWallets
  const methods = (wishes?.userOwnedRecoveryOptions ?? set.options).map(ownMethodOf).filter(isOwn)
  return {
    methods: [...new Set(methods)],
    required: (wishes?.requireUserOwnedRecoveryOnCreate ?? false) || set.required,
  }
}

const isOwn = (method: RecoverySecret['method'] | undefined): method is OwnMethod =>
  method !== undefined && method !== 'automatic'
