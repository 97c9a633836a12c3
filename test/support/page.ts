import type { Page } from '../../src/lib/page.ts'

/** A page whose address bar, windows and departures a test sees and decides. */
export function testPage(over: Partial<Page> = {}) {
  const left: string[] = []
  let reloads = 0
  let stops = 0
  let address = 'https://host.example/'
  const page: Page & { left: string[]; goTo(next: string): void; reloads(): number; stops(): number } = {
    origin: 'https://host.example',
    address: () => address,
    rewrite(next) {
      address = next
    },
    leave: (next) => void left.push(next),
    stay: () => void stops++,
    stops: () => stops,
    reload: () => void reloads++,
    reloads: () => reloads,
    openWindow: () => null,
    framed: false,
    userAgent: 'Mozilla/5.0 (X11; Linux x64) Chrome/156.0',
    language: 'en-GB',
    window: {} as Window,
    ...over,
    left,
    goTo(next) {
      address = next
    },
  }
  return page
}
