/** A host page that has the vault make wallets and opens its export frame, with the kit's own pieces. */
import { systemClock } from '../../../src/lib/clock.ts'
import { type FrameCalls, type FrameEvent, frameUrl } from '../../../src/protocol/frame/calls.ts'
import { type ExportView, exportUrl } from '../../../src/protocol/frame/export.ts'
import { openFrame } from '../../../src/wallets/embedded/frame-port.ts'
import { createVaultProxy } from '../../../src/wallets/embedded/proxy.ts'
import { openExport } from '../../../src/wallets/export/export-frame.ts'

export interface ExportHost {
  ask<E extends FrameEvent>(event: E, data: FrameCalls[E]['data']): Promise<FrameCalls[E]['answer']>
  /** Opens the frame in `#place`; what it reports is in {@link ExportHost.heard}. */
  open(view: ExportView, accessToken: string): void
  close(): void
  heard: string[]
}
declare global {
  interface Window {
    exportHost: ExportHost
  }
}

const { vault = '', app = '' } = document.documentElement.dataset
const proxy = createVaultProxy({
  url: () => frameUrl(vault, { appId: app }),
  open: openFrame,
  clock: systemClock,
})
let close = () => {}

window.exportHost = {
  heard: [],
  ask: (event, data) => proxy.ask(event, data, { ready: 15_000 }),
  open({ colors, width, ...view }, accessToken) {
    const heard = this.heard
    const frame = openExport({
      url: (look) => exportUrl(vault, { ...view, ...look }),
      accessToken,
      clock: systemClock,
      events: {
        ready: () => void heard.push('ready'),
        exported: (what, how) => void heard.push(`${what} ${how}`),
        failed: (error) => void heard.push(`failed ${error.code}: ${error.details}`),
      },
    })
    const place = document.getElementById('place')
    if (place) close = frame.mount(place, { colors, width })
  },
  close: () => close(),
}
