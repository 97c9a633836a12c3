import type { FrameRequest } from '../../../src/protocol/frame/messages.ts'
import { openFrameChannel } from '../../../src/vault/entry/frame-channel.ts'
import type { Vault } from '../../../src/vault/entry/vault.ts'
import { settings } from './device.ts'
import { createPage } from './page.ts'

/** A vault that notes what it is asked, behind an open door. */
export function openPage(page = createPage()) {
  const asked: FrameRequest[] = []
  const vault: Vault = {
    async answer(request) {
      asked.push(request)
      return { id: request.id, event: request.event, data: {} }
    },
  }
  return { ...page, asked, close: openFrameChannel(page.page, settings.allowedOrigins, vault) }
}
