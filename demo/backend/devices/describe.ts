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

/** The name of a browser and its system. */
function browserName(userAgent: string | undefined): string {
  const { browser, os } = bowser.parse(userAgent?.slice(0, 1_024) || ' ')
  const of = os.name || 'an unknown system'
  return printable(
    browser.name ? `${browser.name} on ${of}` : os.name ? `A browser on ${of}` : 'An unknown device',
  )
}

/** These texts are in mails and on screens, and come from outside. */
const printable = (text: string) => text.replace(/[^\x20-\x7e]/g, '').slice(0, 80)
