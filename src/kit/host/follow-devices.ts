/** Emits events about a user's devices; loaded once there is a user with an embedded wallet. */
import { sessionKey } from '../../session/keys.ts'
import { sessionLimits } from '../../session/limits.ts'
import { embeddedOf } from '../../wallets/embedded/listing.ts'
import type { KitContext } from '../context.ts'

/**
 * Tells the host of new devices that wait for approval: when the page is loaded and when the user comes back to it, at most once in
 * five seconds. Tells it as well, once in a tab, of wallets that live in one browser alone. Nobody is shown anything. Returns the
 * function that stops it.
 */
export function followDevices(cx: KitContext): () => void {
  let askedAt = Number.NEGATIVE_INFINITY
  let told = 0
  let owner: string | undefined

  const strictUser = () => {
    const { ready, user } = cx.app.state.get()
    return ready && user && cx.app.known().vault === 'strict' ? user : undefined
  }
  const devices = async () => (await cx.services()).wallets.devices()

  /** A failed request is repeated at the next return. */
  async function look(): Promise<void> {
    const user = strictUser()
    if (!user || embeddedOf(user).length === 0) return
    if (cx.clock.now() - askedAt < sessionLimits.askedAgain) return
    askedAt = cx.clock.now()
    const count = await (await devices()).countRequests()
    if (cx.app.state.get().user?.id !== user.id || count === told) return
    told = count
    cx.events.emit('device-request', { count })
  }
  const lookQuietly = () => void look().catch(() => {})

  /** Once in a tab: the answer only changes where the user adds something. */
  async function lookForProofs(id: string): Promise<void> {
    const key = sessionKey(cx.appId, 'proofs-asked')
    if (cx.tabStorage.get(key) === id) return
    cx.tabStorage.set(key, id)
    const kinds = await (await devices()).proofs()
    if (kinds.length > 0 || cx.app.state.get().user?.id !== id) return
    cx.events.emit('device-proof-missing', { required: cx.app.known().app.deviceProof === 'required' })
  }

  const onState = () => {
    const user = strictUser()
    if (!user || embeddedOf(user).length === 0 || user.id === owner) return
    owner = user.id
    told = 0
    askedAt = Number.NEGATIVE_INFINITY
    lookQuietly()
    lookForProofs(user.id).catch(() => {})
  }
  const stops = [cx.app.state.subscribe(onState), cx.tabs.onReturn(lookQuietly)]
  onState()
  return () => {
    for (const stop of stops) stop()
  }
}
