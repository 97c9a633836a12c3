import { InvalidRequest } from '../../lib/invalid-request.ts'
import type { RpcRequest } from '../../protocol/frame/calls.ts'
import type { VaultContext } from '../context.ts'
import type { VaultSettings } from '../entry/settings.ts'
import type { ChainType, OpenRoot, RootName, WalletKey, WalletPath } from '../model.ts'
import { withDeviceRoot } from '../shares/device-root.ts'
import type { DeviceRecord } from '../shares/store.ts'
import type { Token } from '../token.ts'
import { parseEthereumRequest, type SignatureRequest } from './ethereum.ts'

/** What a wallet of a root has signed. */
export interface Signed {
  readonly address: string
  /** As the method answers. */
  readonly data: string | object
}

/** Reads a request to a wallet of a chain completely, up to what is signed. Throws `InvalidRequest` or a `VaultError`. */
export const readRequest = async (
  chainType: ChainType,
  request: RpcRequest,
  settings: Pick<VaultSettings, 'rawSigning' | 'operationSigning' | 'delegates'>,
): Promise<SignatureRequest> =>
  chainType === 'solana'
    ? (await import('./solana.ts')).parseSolanaRequest(request)
    : parseEthereumRequest(request, settings)

/**
 * Signs what {@link readRequest} has read. The key exists for this one signature. Throws `InvalidRequest` or a `VaultError`.
 * @param ahead as {@link withDeviceRoot} takes it
 */
export async function signRequest(
  cx: VaultContext,
  token: Token,
  root: RootName,
  path: WalletPath,
  { signer, use, sign }: SignatureRequest,
  ahead?: DeviceRecord,
): Promise<Signed> {
  const work = (opened: OpenRoot) =>
    opened.withKey(path, (key) => {
      requireSigner(signer, key)
      const { address } = key
      return use
        ? opened.withKey({ ...path, index: 0, use }, (other) => ({ address, data: sign(other) }))
        : { address, data: sign(key) }
    })
  return withDeviceRoot(cx, token, root, work, { ahead })
}

/** Lends the key of a wallet whose root is on this device. Throws like {@link withDeviceRoot}. */
export const withWalletKey = <T>(
  cx: VaultContext,
  token: Token,
  root: RootName,
  path: WalletPath,
  work: (key: WalletKey) => T,
  ahead?: DeviceRecord,
): Promise<T> => withDeviceRoot(cx, token, root, (opened) => opened.withKey(path, work), { ahead })

/** Throws `InvalidRequest` if a request names another wallet than the one that it goes to. */
export function requireSigner(signer: string | undefined, { address }: WalletKey): void {
  if (signer !== undefined && signer !== address)
    throw new InvalidRequest('The address does not belong to the wallet')
}
