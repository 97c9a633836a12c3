import bowser from 'bowser'
import type { CoreServices, ServerContext } from '../http/services.ts'

/** By what a person may recognise a browser of theirs. */
export interface Appearance {
  /** Such as `Chrome on Windows`. */
  name: string
  /** What a proxy says, or the range of the network address; empty where neither is known. */
  place: string
}

/** What a person may recognise the caller's browser by. */
export function appearanceOf(c: ServerContext, { placeOf }: Pick<CoreServices, 'placeOf'>): Appearance {
  return { name: browserName(c.req.header('user-agent')), place: placeOf(c) }
}

/** Browsers and systems that may be named: a caller writes its own `user-agent`, and the names are in mails and on screens. */
const { generic: _, ...namedBrowsers } = bowser.BROWSER_MAP
const browsers: ReadonlySet<string> = new Set(Object.values(namedBrowsers))
const systems: ReadonlySet<string> = new Set(Object.values(bowser.OS_MAP))

/** Names a browser and its system, such as `Chrome on Windows`. */
function browserName(userAgent: string | undefined): string {
  const found = bowser.parse(userAgent?.slice(0, 1_024) || ' ')
  const browser = browsers.has(found.browser.name ?? '') ? found.browser.name : undefined
  const system = systems.has(found.os.name ?? '') ? found.os.name : undefined
  if (browser) return `${browser} on ${system ?? 'an unknown system'}`
  return system ? `A browser on ${system}` : 'An unknown device'
}
