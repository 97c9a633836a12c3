import { limits } from '../../core/limits.ts'
import type { ConnectorContext } from './connector.ts'

/** The longest that a browser's timer counts; beyond it, it fires at once. */
const LONGEST = 2 ** 31 - 1

/** How long a wallet may take over a request: the host's wish for its client type, or the usual time (wire 10.2). */
export function requestTimeout({ config }: Pick<ConnectorContext, 'config'>, clientType: string): number {
  const wishes = config().host.rpcConfig?.rpcTimeouts
  const wish = wishes && Object.hasOwn(wishes, clientType) ? wishes[clientType] : undefined
  return typeof wish === 'number' && wish > 0 ? Math.min(wish, LONGEST) : limits.walletRequest
}
