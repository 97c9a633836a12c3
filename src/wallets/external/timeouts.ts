import { walletsLimits } from '../limits.ts'
import type { ConnectorContext } from './connector.ts'

/** The longest delay of a browser's timer; beyond it, it fires at once. */
const LONGEST = 2 ** 31 - 1

/** How long a wallet may take for a request: the host's setting for its client type, or the default. */
export function requestTimeout({ config }: Pick<ConnectorContext, 'config'>, clientType: string): number {
  const wishes = config().host.rpcConfig?.rpcTimeouts
  const wish = wishes && Object.hasOwn(wishes, clientType) ? wishes[clientType] : undefined
  return typeof wish === 'number' && wish > 0 ? Math.min(wish, LONGEST) : walletsLimits.walletRequest
}
