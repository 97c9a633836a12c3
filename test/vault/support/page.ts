import type { VaultMessage, VaultPage } from '../../../src/vault/entry/frame-channel.ts'

export const hostOrigin = 'https://host.example'

/** A window that is framed by `parent`, as far as the vault sees it; `null`: its browser has no ancestorOrigins. */
export function createPage(ancestorOrigins: readonly string[] | null = [hostOrigin]) {
  const posted: { message: unknown; targetOrigin: string }[] = []
  const hearing = new Set<(event: VaultMessage) => void>()
  const parent = {
    postMessage: (message: unknown, targetOrigin: string) => void posted.push({ message, targetOrigin }),
  }
  const page: VaultPage = {
    parent,
    origin: 'https://vault.example',
    location: ancestorOrigins ? { ancestorOrigins } : {},
    addEventListener: (_, hear) => void hearing.add(hear),
    removeEventListener: (_, hear) => void hearing.delete(hear),
  }
  return {
    page,
    parent,
    posted,
    hearing,
    /** Delivers a message, by default one of the parent; resolves when what it sets off has had its turn. */
    async deliver(data: unknown, more: Partial<VaultMessage> = {}) {
      const event: VaultMessage = { source: parent, origin: hostOrigin, ports: [], data, ...more }
      for (const hear of hearing) await (hear(event) as unknown)
    },
  }
}
