import type { VaultContext } from '../context.ts'
import { warmUp } from '../keys/root.ts'
import type { ChainType, RootName } from '../model.ts'
import { withDeviceRoot } from '../shares/device-root.ts'
import type { Token } from '../token.ts'

/**
 * Does ahead what takes time before a root's first signature in this page: the server releases its share, and the browser gets
 * ready for the curve. No key is derived. Throws like {@link withDeviceRoot}.
 */
export async function prepareSigning(
  cx: VaultContext,
  token: Token,
  root: RootName,
  chainType: ChainType,
): Promise<void> {
  await withDeviceRoot(cx, token, root, () => {})
  await warmUp(chainType)
}
