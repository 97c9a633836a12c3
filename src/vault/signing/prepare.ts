import type { VaultContext } from '../context.ts'
import { warmUp } from '../keys/root.ts'
import type { ChainType, RootName } from '../model.ts'
import { fetchAhead } from '../shares/device-root.ts'
import type { DeviceRecord } from '../shares/store.ts'
import type { Token } from '../token.ts'

/**
 * Does ahead what takes time before a root's first signature in this page: the server releases its share, this device's is read, and
 * the browser gets ready for the curves. Nothing is put together. Resolves and throws like {@link fetchAhead}.
 */
export async function prepareSigning(
  cx: VaultContext,
  token: Token,
  root: RootName,
  chainType: ChainType,
): Promise<DeviceRecord | undefined> {
  const record = await fetchAhead(cx, token, root)
  // A root is known by the addresses of its first wallets, which may be of the other chain.
  for (const chain of new Set([chainType, root.chainType, record?.chainType ?? chainType]))
    await warmUp(chain)
  return record
}
