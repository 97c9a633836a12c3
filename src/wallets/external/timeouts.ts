import { walletsLimits } from '../limits.ts'
import type { ConnectorContext } from './connector.ts'

/** The longest delay of a browser's timer; beyond it, it fires at once. */
const LONGEST = 2 ** 31 - 1

/** How long a wallet may take for a request: the host's setting for its client type, or the default. */
export function requestTimeout({ config }: Pick<ConnectorContext, 'config'>, clientType: string): number {
  const timeouts = config().host.rpcConfig?.rpcTimeouts
  const timeout = timeouts && Object.hasOwn(timeouts, clientType) ? timeouts[clientType] : undefined
  return typeof timeout === 'number' && timeout > 0 ? Math.min(timeout, LONGEST) : walletsLimits.walletRequest
}
