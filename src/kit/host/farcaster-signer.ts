/** Calls of a host about the key that signs for the user on Farcaster; loaded with the first of them. The kit is ready. */
import { requestSigner } from '../../account/farcaster-signer/flow.ts'
import { KitError } from '../../errors/kit-error.ts'
import type { FarcasterAccount, User } from '../../protocol/user.ts'
import { signFarcasterHash } from '../../signing/index.ts'
import type { SignerOptions, SignFarcasterOptions } from '../api.ts'
import type { KitContext } from '../context.ts'
import type { Sending } from '../wallets/sending.ts'
import { personOf } from './person.ts'
import { inTurn, toSignatureUi } from './requests.ts'
import { messageEvents, runSigning } from './signing.ts'

/** Bytes of the hash (BLAKE3) of a message on Farcaster. */
const HASH_SIZE = 20

/** Has the user let a key of their vault sign for them, and resolves with the user who has it. */
export async function requestFarcasterSigner(
  cx: KitContext,
  { surface, signal }: SignerOptions,
): Promise<User> {
  const { wallet } = await partsOf(cx)
  const { wallets, http } = await cx.services()
  await cx.runs.run('signer', { surface, signal }, (stage) =>
    requestSigner({ ...cx.flow(stage), wallets }, { wallet, http }),
  )
  const user = personOf(cx, 'connecting Farcaster')
  if (farcasterOf(user)?.signerPublicKey === undefined)
    throw new KitError('malformed_response', 'The account has no signer')
  return user
}

/** Signs the hash of a message with that key. */
export async function signForFarcaster(
  cx: KitContext,
  sending: Sending,
  hash: unknown,
  { uiOptions = {}, surface, signal }: SignFarcasterOptions,
): Promise<Uint8Array> {
  if (!(hash instanceof Uint8Array) || hash.length !== HASH_SIZE)
    throw new KitError('invalid_request_arguments', 'The hash of a message has 20 bytes')
  await signerOf(cx)
  const ui = toSignatureUi(cx, uiOptions)
  return inTurn(sending, signal, (turn) =>
    runSigning(cx, { surface, signal, turn, isHidden: ui.isHidden, events: messageEvents }, async (now) => {
      // The account may have been unlinked while the request waited for its turn.
      const { wallet } = await signerOf(cx)
      return signFarcasterHash(now, { wallet, hash: Uint8Array.from(hash), ui })
    }),
  )
}

/** The wallet whose secret the approved signer comes from. */
async function signerOf(cx: KitContext) {
  const { wallet, account } = await partsOf(cx)
  if (account.signerPublicKey === undefined)
    throw new KitError('invalid_state', 'The user must have approved a signer before signing')
  return { wallet }
}

/** A signer needs an embedded wallet whose secret it comes from, and a Farcaster account that it signs for. */
async function partsOf(cx: KitContext) {
  const account = farcasterOf(personOf(cx, 'connecting Farcaster'))
  if (!account) throw new KitError('linked_account_not_found', 'The user must have a Farcaster account')
  const { wallets } = await cx.services()
  const embedded = await wallets.embedded()
  // An imported key is no secret that another key can come from.
  const wallet = embedded.list().find(({ imported }) => !imported)
  if (!wallet)
    throw new KitError('embedded_wallet_not_found', 'The user must have an embedded wallet before connecting')
  return { account, wallet: embedded.rootOf(wallet) }
}

const farcasterOf = ({ linkedAccounts }: User): FarcasterAccount | undefined =>
  linkedAccounts.find((account): account is FarcasterAccount => account.type === 'farcaster')
