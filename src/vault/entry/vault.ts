import {
  type FrameCall,
  type FrameCalls,
  type FrameEvent,
  frameEvents,
  mfaPurposeOf,
  readCall,
  recoveryMethods,
  verifiers,
  type WalletData,
} from '../../protocol/frame/calls.ts'
import type { FrameAnswer, FrameRequest } from '../../protocol/frame/messages.ts'
import type { VaultContext, VaultParts } from '../context.ts'
import { createContext } from '../create-context.ts'
import { toFailure, VaultError } from '../errors.ts'
import { formatRootName, parseRootName } from '../keys/address.ts'
import type { ChainType, RootName } from '../model.ts'
import { setRecovery } from '../recovery/change.ts'
import { keptByPage, needsApproval } from '../recovery/errors.ts'
import { provePresent } from '../recovery/present.ts'
import { recoverRoot } from '../recovery/recover.ts'
import { isAutomatic, parseRecoveryRequest } from '../recovery/request.ts'
import { removeDevice } from '../server/devices.ts'
import { withDeviceRoot } from '../shares/device-root.ts'
import { signRequest } from '../signing/signature.ts'
import { answerWalletRpc } from '../signing/wallet-rpc.ts'
import { readTokenOf, type Token } from '../token.ts'
import { createWallet } from '../wallets/create-wallet.ts'
import { addWallet } from '../wallets/derive-wallet.ts'
import { importWallet } from '../wallets/import-wallet.ts'

export interface Vault {
  /** Does what a request asks. Never rejects: every failure becomes an answer with an error type of docs/protocol.md. */
  answer(request: FrameRequest): Promise<FrameAnswer>
}

/** Makes the vault of one app. It knows no window: `openFrameChannel` connects it to one. */
export function createVault(parts: VaultParts): Vault {
  const cx = createContext(parts)
  return {
    async answer(request) {
      const { id, event } = request
      try {
        const call = readCall(request)
        if (call === 'unsupported') throw new VaultError('error', 'This request is unsupported')
        if (call === 'invalid') throw new VaultError('invalid_request_arguments', 'The request is incomplete')
        return { id, event, data: await perform(cx, call) }
      } catch (cause) {
        return { id, event, error: toFailure(cause) }
      }
    },
  }
}

type LoginCall = Extract<FrameCall, { data: { accessToken: string } }>

async function perform(cx: VaultContext, call: FrameCall): Promise<FrameCalls[FrameEvent]['answer']> {
  if (call.event === frameEvents.ready) return {}
  if (call.event === frameEvents.clearMfa) {
    cx.logouts.announce(call.data.userId)
    return {}
  }
  // WebCrypto is missing where the page is not in a secure context; nothing below works without it.
  if (!globalThis.crypto?.subtle)
    throw new VaultError('error', 'Embedded wallet is only available over HTTPS')
  const token = readTokenOf(cx, call.data.accessToken)
  if (cx.settings.vault === 'strict' && !mayGoUnseen(call))
    throw bringsOwnKey(call) ? keptByPage() : needsApproval()
  let loggedOut = false
  const stop = cx.logouts.onLogout((user) => {
    loggedOut ||= user === token.user
  })
  try {
    const answer = await performFor(withGiven(cx, call), token, call)
    if (!loggedOut) return answer
  } finally {
    stop()
    if (loggedOut) {
      cx.releases.forget(token.user)
      cx.mfa.forget(token.user)
    }
  }
  throw new VaultError('error', 'The session has ended')
}

/**
 * Proves a second factor by what came along with the request, if the server wants one; that is good once. In a strict app the person
 * gives it to the vault itself, and what a page passes is ignored.
 */
function withGiven(cx: VaultContext, { event, data }: LoginCall): VaultContext {
  if (cx.settings.vault === 'strict' || !('mfaMethod' in data) || data.mfaMethod === undefined) return cx
  const given = data
  let used = false
  return cx.proving(async (asked, token, refusal) => {
    if (used) throw refusal
    used = true
    const purpose = asked.purpose === 'use' ? (mfaPurposeOf[event] ?? 'use') : asked.purpose
    const { proveWith } = await import('../mfa/perform.ts')
    return proveWith(cx, token, { ...asked, purpose }, given)
  })
}

/** Requests that come with an access token. */
async function performFor(
  cx: VaultContext,
  token: Token,
  call: LoginCall,
): Promise<FrameCalls[FrameEvent]['answer']> {
  switch (call.event) {
    case frameEvents.createWallet:
      return { address: await createWith(cx, token, 'ethereum', call.data) }
    case frameEvents.createSolanaWallet:
      return { publicKey: await createWith(cx, token, 'solana', {}) }
    case frameEvents.createWallets:
      return { address: await createWith(cx, token, call.data.chainType, call.data) }
    case frameEvents.importWallet:
      return { address: await importWallet(cx, token, call.data.chainType, call.data.privateKey) }
    case frameEvents.removeDevice:
      await removeProved(cx, token, call.data)
      return { deviceId: call.data.deviceId }
    case frameEvents.verifyMfa:
    case frameEvents.initMfaEnrollment:
    case frameEvents.submitMfaEnrollment:
    case frameEvents.unenrollMfa:
    case frameEvents.newMfaRecoveryCodes:
    case frameEvents.unlinkPasskey:
      return (await import('../mfa/perform.ts')).performMfa(cx, token, call)
    case frameEvents.initFarcasterSigner: {
      const { initFarcasterSigner } = await import('../signing/farcaster.ts')
      return initFarcasterSigner(cx, token, await rootAt(call.data.address))
    }
    case frameEvents.signFarcaster: {
      const { address, payload } = call.data
      const root = await rootAt(address)
      const { parseFarcasterRequest } = await import('../signing/farcaster.ts')
      const request = { method: 'farcaster_sign', params: [payload.hash, address] }
      const path = { chainType: root.chainType, index: 0 }
      const { data } = await signRequest(cx, token, root, path, parseFarcasterRequest(request))
      return data as FrameCalls[typeof frameEvents.signFarcaster]['answer']
    }
    case frameEvents.consentToGrants: {
      const { consentToGrants } = await import('../wallets/consent-to-grants.ts')
      await consentToGrants(cx, token, call.data)
      return { success: true }
    }
    default:
      return performOn(cx, token, await readRoot(call.data), call)
  }
}

/** Removes a device; first proves a recovery method of the person's, if the page passes what that takes. */
async function removeProved(
  cx: VaultContext,
  token: Token,
  { deviceId, present }: FrameCalls[typeof frameEvents.removeDevice]['data'],
): Promise<void> {
  if (present) {
    const { presentPassword: password, presentAccessToken: accessToken } = present
    await provePresent(cx, token, await readRoot(present), { password, accessToken })
  }
  await removeDevice(cx, token, deviceId)
}

/**
 * Whether a page in a strict app may ask for this without anything being shown to the person: none of it signs what the page
 * passes, shows a key, or changes how a wallet is recovered.
 */
function mayGoUnseen({ event, data }: LoginCall): boolean {
  switch (event) {
    case frameEvents.walletRpc:
      return data.request.method === 'eth_populateTransactionRequest'
    case frameEvents.setRecovery:
    case frameEvents.importWallet:
    case frameEvents.removeDevice:
    case frameEvents.verifyMfa:
    case frameEvents.initMfaEnrollment:
    case frameEvents.submitMfaEnrollment:
    case frameEvents.unenrollMfa:
    case frameEvents.newMfaRecoveryCodes:
    case frameEvents.signFarcaster:
    case frameEvents.consentToGrants:
      return false
    // Nothing is signed, and the user decides in their own Farcaster app.
    case frameEvents.initFarcasterSigner:
      return true
    // For a passkey that is a second factor, the server wants a proof that only its owner can give.
    case frameEvents.unlinkPasskey:
      return true
    case frameEvents.createWallet:
    case frameEvents.createWallets:
      return isAutomatic(data.recoveryMethod, data)
    case frameEvents.recoverWallet:
      return isAutomatic(undefined, data)
    case frameEvents.createSolanaWallet:
    case frameEvents.addWallet:
    case frameEvents.connectWallet:
      return true
  }
}

const bringsOwnKey = ({ data }: LoginCall) =>
  ('recoveryKey' in data && data.recoveryKey !== undefined) ||
  ('recoveryMethod' in data && data.recoveryMethod === recoveryMethods.ownKey)

/** Requests about a root that exists already. */
async function performOn(
  cx: VaultContext,
  token: Token,
  root: RootName,
  { event, data }: Extract<FrameCall, { data: WalletData }>,
): Promise<FrameCalls[FrameEvent]['answer']> {
  const entropyId = formatRootName(root)
  const strict = cx.settings.vault === 'strict'
  switch (event) {
    case frameEvents.addWallet: {
      const path = { chainType: data.chainType, index: data.hdWalletIndex }
      return { address: await addWallet(cx, token, root, path) }
    }
    case frameEvents.connectWallet:
      await withDeviceRoot(cx, token, root, () => {}, { fresh: true })
      return { entropyId }
    case frameEvents.recoverWallet:
      await recoverRoot(cx, token, root, data, strict ? { only: recoveryMethods.automatic } : {})
      return { entropyId }
    case frameEvents.setRecovery: {
      const recoveryMethod = await setRecovery(cx, token, root, data)
      return { entropyId, entropyIdVerifier: data.entropyIdVerifier, recoveryMethod }
    }
    case frameEvents.walletRpc:
      return answerWalletRpc(cx, token, root, data)
  }
}

const createWith = (
  cx: VaultContext,
  token: Token,
  chainType: ChainType,
  data: Parameters<typeof parseRecoveryRequest>[1] & { readonly recoveryMethod?: string | undefined },
) => createWallet(cx, token, chainType, parseRecoveryRequest(data.recoveryMethod, data))

/** A root, which a page names by the address of one of its index-0 wallets. */
async function readRoot({
  entropyId,
  entropyIdVerifier,
}: Pick<WalletData, 'entropyId' | 'entropyIdVerifier'>): Promise<RootName> {
  const chainType = chains.find((chain) => verifiers[chain] === entropyIdVerifier)
  if (!chainType) throw new VaultError('error', 'This kind of wallet is unsupported')
  const root = await parseRootName(chainType, entropyId)
  if (!root) throw new VaultError('invalid_request_arguments', 'The entropy id is not an address')
  return root
}
const chains: readonly ChainType[] = ['ethereum', 'solana']

/** The same by the address alone, whose chain it says. */
async function rootAt(address: string): Promise<RootName> {
  for (const chain of chains) {
    const root = await parseRootName(chain, address)
    if (root) return root
  }
  throw new VaultError('invalid_request_arguments', 'The wallet has no address')
}
