import { announcedKeys, type SessionKey, sessionKey } from '../src/session/keys.ts'
import type { EarlyWallet, EarlyWallets } from '../src/wallets/embedded/provider/announcement.ts'
import type { OwnProvider } from '../src/wallets/embedded/provider/ethereum.ts'

/** How long libraries wait for a session to be restored. */
const patience = 15_000

/** Of this page, by app id. */
const wallets = new Map<string, EarlyWallets>()

/** What {@link announceWallet} has announced of an app. */
export const earlyWalletsOf = (appId: string): EarlyWallets | undefined => wallets.get(appId)

/**
 * Announces the embedded Ethereum wallet of somebody whom this browser remembers, and their smart wallet, before anything is loaded (EIP-6963):
 * for libraries that look for wallets once when the page starts, such as wagmi. Requests wait until the session is restored;
 * if there is no wallet then, they are refused with 4900. Call it before such a library is set up. Does nothing on a
 * server, and where no earlier page of this browser has announced the wallet.
 *
 * @param appId The app's id
 */
export function announceWallet(appId: string): void {
  if (wallets.has(appId)) return
  const read = (name: SessionKey) => readStored(sessionKey(appId, name))
  if (!(read('token') ?? read('refresh'))) return
  const announced: Partial<Record<keyof EarlyWallets, EarlyWallet>> = {}
  for (const kind of ['embedded', 'smart'] as const) {
    const kept = read(announcedKeys[kind])
    const info = kept && parseInfo(kept)
    if (info) announced[kind] = announce(info)
  }
  if (announced.embedded || announced.smart) wallets.set(appId, announced)
}

function announce(info: EarlyWallet['info']): EarlyWallet {
  const detail: CustomEventInit['detail'] = { info }
  const dispatch = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  const early = createEarlyWallet(info, () => window.removeEventListener('eip6963:requestProvider', dispatch))
  detail.provider = early.provider
  Object.freeze(detail)
  window.addEventListener('eip6963:requestProvider', dispatch)
  dispatch()
  return early
}

/** Where storage is blocked, or there is none, merely touching it throws. */
function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function parseInfo(kept: string): EarlyWallet['info'] | undefined {
  try {
    return Object.freeze({ ...JSON.parse(kept), uuid: crypto.randomUUID() })
  } catch {
    return undefined
  }
}

/** @param stop stops announcing it: once the kit does that, or there is no wallet */
function createEarlyWallet(info: EarlyWallet['info'], stop: () => void): EarlyWallet {
  let own: OwnProvider | undefined
  let listeners: Parameters<OwnProvider['on']>[] = []
  let settle = () => {}
  const settled = new Promise<void>((resolve) => {
    settle = resolve
    setTimeout(resolve, patience)
  })
  const provider: OwnProvider = Object.freeze<OwnProvider>({
    isLatchkey: true,
    isConnected: () => own?.isConnected() ?? false,
    async request(input) {
      await settled
      if (own) return own.request(input)
      throw Object.assign(new Error('Nobody with a wallet is logged in'), { code: 4900 })
    },
    on(event, listener) {
      if (own) own.on(event, listener)
      else listeners.push([event, listener])
      return provider
    },
    removeListener(event, listener) {
      if (own) own.removeListener(event, listener)
      else listeners = listeners.filter((each) => each[0] !== event || each[1] !== listener)
      return provider
    },
  })
  const release = () => {
    stop()
    settle()
  }
  return {
    info,
    provider,
    release,
    adopt(given) {
      if (own) return
      own = given
      for (const [event, listener] of listeners) own.on(event, listener)
      release()
    },
  }
}
