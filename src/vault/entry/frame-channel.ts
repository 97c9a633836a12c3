import { originAllowed } from '../../lib/origin.ts'
import { frameEvents } from '../../protocol/frame/calls.ts'
import { readRequest } from '../../protocol/frame/messages.ts'
import { vaultLimits } from '../limits.ts'
import type { Vault } from './vault.ts'

interface PageParent {
  postMessage(message: unknown, targetOrigin: string): void
}
/** As much of a window as the vault needs. */
export interface VaultPage {
  readonly parent: PageParent
  /** Its own, 'null' in a sandbox. */
  readonly origin: string
  readonly location: { readonly ancestorOrigins?: ArrayLike<string> }
  addEventListener(type: 'message', handler: (event: VaultMessage) => void): void
  removeEventListener(type: 'message', handler: (event: VaultMessage) => void): void
}
export interface VaultMessage {
  readonly source: unknown
  readonly origin: string
  readonly data: unknown
  readonly ports?: readonly unknown[]
}

/**
 * Whether the vault may run in this page: framed, with an origin of its own, and with nobody above it but allowed
 * origins. A sandbox takes a page's origin away, and all storage with it. A browser without
 * `ancestorOrigins` leaves the grandparents to the page's `frame-ancestors`.
 */
export function embeddingAllowed(page: VaultPage, allowedOrigins: readonly string[]): boolean {
  if (page.parent === (page as unknown) || page.origin === 'null') return false
  const above = page.location.ancestorOrigins
  if (!above) return true
  return above.length > 0 && Array.from(above).every((origin) => originAllowed(origin, allowedOrigins))
}

/**
 * Listens to the parent window and lets the vault answer it (docs/protocol.md). A message counts when it
 * comes from the parent itself, from an allowed origin that is the first one's, without ports, and with an id that
 * was not used before; the first has to be the handshake. Everything else is dropped without a word.
 * Returns the function that stops it; answers that are still due are then not sent.
 */
export function openFrameChannel(
  page: VaultPage,
  allowedOrigins: readonly string[],
  vault: Vault,
): () => void {
  if (!embeddingAllowed(page, allowedOrigins)) return () => {}
  const parent = page.parent
  const used = new Set<string>()
  let partner: string | undefined
  let open = true

  const onMessage = async ({ source, origin, data, ports }: VaultMessage) => {
    if (source !== parent || (partner !== undefined && origin !== partner)) return
    if (!originAllowed(origin, allowedOrigins) || (ports && ports.length > 0)) return
    const request = readRequest(data)
    if (!request || used.has(request.id)) return
    if (partner === undefined && request.event !== frameEvents.ready) return
    partner = origin
    remember(used, request.id)
    const answer = await vault.answer(request)
    if (open) parent.postMessage(answer, origin)
  }

  page.addEventListener('message', onMessage)
  return () => {
    open = false
    page.removeEventListener('message', onMessage)
  }
}

function remember(used: Set<string>, id: string): void {
  used.add(id)
  if (used.size <= vaultLimits.rememberedIds) return
  for (const oldest of used) {
    used.delete(oldest)
    return
  }
}
