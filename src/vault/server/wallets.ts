/** The vault's requests to the server about new roots and wallets. docs/protocol.md */
import { isUuid } from '../bytes.ts'
import type { VaultContext } from '../context.ts'
import { VaultError } from '../errors.ts'
import { formatRootName, parseRootName } from '../keys/address.ts'
import type { ChainType, RecoveryRecord, RootName, SecretKind, WalletPath } from '../model.ts'
import { statementShown, statements } from '../statements.ts'
import type { Token } from '../token.ts'
import { rootPath, unexpectedAnswer } from './transport.ts'

/** A root as it is handed to the server: its first wallet, a sealed share, and what its recovery needs. */
export interface NewRoot {
  readonly walletId: string
  readonly secret: SecretKind
  readonly chainType: ChainType
  /** EIP-55, or base58. */
  readonly address: string
  readonly setId: string
  readonly authShare: string
  readonly recovery: RecoveryRecord
  /** A signature by the address's own key: `statements.walletCreated`. */
  readonly proof: string
}

/**
 * Hands over a new root. Resolves with the one that the person has: this one, or the one that was there before. Its
 * address on the asked chain is `undefined` when it has none there yet.
 */
export async function registerRoot(
  cx: VaultContext,
  token: Token,
  root: NewRoot,
): Promise<{ address: string | undefined; walletId: string; created: boolean }> {
  const body = {
    wallet_id: root.walletId,
    secret: root.secret,
    chain_type: root.chainType,
    address: root.address,
    set_id: root.setId,
    auth_share: root.authShare,
    recovery: recoveryBody(root.recovery),
    proof: root.proof,
  }
  const { address: named, walletId: wallet } = root
  const imported = { app: cx.settings.appId, user: token.user, address: named, wallet }
  const shown = root.secret === 'key' ? statementShown(cx, statements.keyImported(imported)) : {}
  const answer = await cx.api(token, '/embedded_wallets', body, shown)
  const { address, wallet_id: walletId, created } = answer
  if (typeof address !== 'string' || !isUuid(walletId) || typeof created !== 'boolean')
    throw unexpectedAnswer()
  if (address === '' && !created) return { address: undefined, walletId, created }
  return { address: await readAddress(root.chainType, address), walletId, created }
}

/** A recovery method as the server stores it. */
export const recoveryBody = (record: RecoveryRecord): object => ({
  method: record.method,
  package: record.package,
  key: record.key,
  secret_id: record.secretId,
  salt: record.salt,
  file_id: record.fileId,
  record_name: record.recordName,
  rounds: record.rounds,
  verifier: record.verifier,
})

/**
 * Tells the server of one more wallet of a root; both keys have signed `statements.walletAdded`. Resolves with its
 * address, new or not. Throws 'invalid_request_arguments' where the chain's first wallet is missing.
 */
export async function createWallet(
  cx: VaultContext,
  token: Token,
  root: RootName,
  wallet: WalletPath & { readonly address: string; readonly proof: string; readonly rootProof: string },
): Promise<string> {
  const body = {
    chain_type: wallet.chainType,
    wallet_index: wallet.index,
    address: wallet.address,
    proof: wallet.proof,
    root_proof: wallet.rootProof,
  }
  const { address } = await cx.api(token, `${rootPath(root)}/wallets`, body).catch((cause) => {
    if (!(cause instanceof VaultError && cause.code === 'invalid_state')) throw cause
    throw new VaultError('invalid_request_arguments', 'The wallet with index 0 has to be created first')
  })
  if (address !== wallet.address) throw unexpectedAnswer()
  return address
}

async function readAddress(chainType: ChainType, text: string): Promise<string> {
  const name = await parseRootName(chainType, text)
  if (!name) throw unexpectedAnswer()
  return formatRootName(name)
}
