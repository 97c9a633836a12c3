import type { Clock } from '../core/clock.ts'
import type { Fetch } from '../core/retrying-fetch.ts'
import {
  automaticRecovery,
  verifiers,
  type FrameCall,
  type FrameCalls,
  type FrameEvent,
  frameEvents,
  readCall,
} from '../wire/frame/calls.ts'
import type { FrameAnswer, FrameFailure, FrameRequest } from '../wire/frame/messages.ts'
import { createApi } from './api.ts'
import type { VaultContext } from './context.ts'
import { createWallet } from './create.ts'
import { withDeviceWallet } from './device.ts'
import { VaultError } from './errors.ts'
import type { Locks } from './locks.ts'
import { recoverWallet } from './recover.ts'
import { createReleases } from './releases.ts'
import { answerRpc } from './rpc.ts'
import type { VaultSettings } from './settings.ts'
import type { Store } from './store.ts'
import { readToken, type Token } from './token.ts'

export interface VaultParts {
  readonly settings: VaultSettings
  readonly fetch: Fetch
  readonly clock: Clock
  readonly store: Store
  readonly locks: Locks
}
export interface Vault {
  /** Does what a request asks. Never rejects: every failure becomes an answer with a type of wire 7.7. */
  answer(request: FrameRequest): Promise<FrameAnswer>
}

/** Makes the vault of one app. It knows no window: messages are for {@link openDoor}. */
export function createVault({ settings, fetch, clock, store, locks }: VaultParts): Vault {
  const api = createApi(settings, fetch, clock)
  const cx: VaultContext = { settings, api, clock, store, locks, releases: createReleases() }
  return {
    async answer(request) {
      const { id, event } = request
      try {
        const call = readCall(request)
        if (call === 'unsupported') throw new VaultError('error', 'This request is unsupported')
        if (call === 'invalid')
          throw new VaultError('invalid_request_arguments', 'The request is not complete')
        return { id, event, data: await perform(cx, call) }
      } catch (cause) {
        return { id, event, error: toFailure(cause) }
      }
    },
  }
}

async function perform(
  cx: VaultContext,
  { event, data }: FrameCall,
): Promise<FrameCalls[FrameEvent]['answer']> {
  if (event === frameEvents.ready) return {}
  if (event === frameEvents.clearMfa) {
    cx.releases.forget(data.userId)
    return {}
  }
  // WebCrypto is missing where the page is not in a secure context; nothing below works without it.
  if (!globalThis.crypto?.subtle)
    throw new VaultError('error', 'Embedded wallet is only available over HTTPS')
  const token = readToken(data.accessToken, cx.settings.appId, cx.clock.now())
  switch (event) {
    case frameEvents.createWallet: {
      const { accessToken, recoveryMethod, ...extras } = data
      if ((recoveryMethod ?? automaticRecovery) !== automaticRecovery || Object.keys(extras).length > 0)
        throw new VaultError('error', 'This way of recovery is unsupported')
      return { address: await createWallet(cx, token) }
    }
    case frameEvents.connectWallet: {
      const address = readAddress(data)
      return { entropyId: await connectWallet(cx, token, address) }
    }
    case frameEvents.recoverWallet:
      return { entropyId: await recoverWallet(cx, token, readAddress(data)) }
    case frameEvents.walletRpc:
      return answerRpc(cx, token, readAddress(data), data)
  }
}

/** Makes sure that the wallet can be used on this device. Resolves with its address (EIP-55). */
const connectWallet = (cx: VaultContext, token: Token, address: string) =>
  withDeviceWallet(cx, token, address, (wallet) => wallet.address, { fresh: true })

/** Wire 7.4: the root wallet by its Ethereum address, in lower case from here on. */
function readAddress({
  entropyId,
  entropyIdVerifier,
}: {
  entropyId: string
  entropyIdVerifier: string
}): string {
  if (entropyIdVerifier !== verifiers)
    throw new VaultError('error', 'This kind of wallet is unsupported')
  if (!/^0x[0-9a-fA-F]{40}$/.test(entropyId))
    throw new VaultError('invalid_request_arguments', 'The entropy id is not an address')
  return entropyId.toLowerCase()
}

/** Only our own words leave the vault: a library's message could quote what it worked on. */
function toFailure(cause: unknown): FrameFailure {
  if (cause instanceof VaultError) return { type: cause.type, message: cause.message }
  return { type: 'error', message: 'The vault could not do that' }
}
