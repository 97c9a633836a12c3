import { openDoor } from '../../../src/vault/door.ts'
import type { Vault } from '../../../src/vault/vault.ts'
import type { FrameRequest } from '../../../src/wire/frame/messages.ts'
import { createPage } from './page.ts'
import { settings } from './rig.ts'

/** A vault that notes what it is asked, behind an open door. */
export function openPage(page = createPage()) {
  const asked: FrameRequest[] = []
  const vault: Vault = {
    async answer(request) {
      asked.push(request)
      return { id: request.id, event: request.event, data: {} }
    },
  }
  return { ...page, asked, close: openDoor(page.page, settings.allowedOrigins, vault) }
}
