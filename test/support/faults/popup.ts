import type { TestClock } from '../clock.ts'
import { pageWithWindows, response, type Sender, type testWindow } from '../oauth.ts'
import { faultSwitch } from './matrix.ts'
import { wrongValues } from './values.ts'

/** A message from a popup, and its origin where that is not the page's own. */
export interface PopupMessage {
  readonly data: unknown
  readonly origin?: string
}
/** A popup once it was sent to its address. */
export interface SentPopup {
  readonly popup: ReturnType<typeof testWindow>
  readonly clock: TestClock
  /** The message that it posts when all is well. */
  readonly result: PopupMessage
  post(message: PopupMessage & Sender): void
}
type Misbehaviour = (at: SentPopup) => void

const closing =
  (ms: number): Misbehaviour =>
  ({ popup, clock }) =>
    void clock.sleep(ms).then(() => popup.close())
const posting =
  (messages: readonly unknown[]): Misbehaviour =>
  ({ post, result }) => {
    for (const data of messages) post({ ...result, data })
  }

/** Messages that are ignored: those of other senders, those for another login, and those that are malformed. */
export const ignoredMessages: Readonly<Record<string, Misbehaviour>> = {
  'posts values of no known shape': posting([undefined, '', ...Object.values(wrongValues)]),
  'posts its type alone': posting(['PRIVY_OAUTH_RESPONSE', { type: 'PRIVY_OAUTH_RESPONSE' }, { type: 1 }]),
  'posts the result of another login': posting([response('another state')]),
  'posts a result without a login': posting([response(undefined), response('')]),
  'lets another origin post': ({ post, result }) => post({ ...result, origin: 'https://evil.example' }),
  'lets another window post': ({ post, result }) => post({ ...result, source: {} }),
}

const faults: Readonly<Record<string, Misbehaviour>> = {
  'is closed at once': closing(0),
  'is closed after 299 ms': closing(299),
  'is closed after 301 ms': closing(301),
  'is closed after a minute': closing(60_000),
  'posts nothing': () => {},
  ...ignoredMessages,
}
const harmless: Readonly<Record<string, Misbehaviour>> = {
  'posts its result after 119 s': ({ clock, post, result }) =>
    void clock.sleep(119_000).then(() => post(result)),
  'posts its result twice': ({ post, result }) => {
    post(result)
    post(result)
  },
  'posts other messages before its result': (at) => {
    for (const post of Object.values(ignoredMessages)) post(at)
    at.post(at.result)
  },
}
export const isHarmlessInPopup = (name: string): boolean => Object.hasOwn(harmless, name)

/** Why there is no popup, or what it does. */
export type PopupFault = 'blocked' | 'closed when it opens' | Misbehaviour
/** Faults by which no popup is left to send anywhere. */
export const missingPopups: readonly (readonly [name: string, PopupFault])[] = [
  ['is blocked', 'blocked'],
  ['is closed when it opens', 'closed when it opens'],
]
/** Everything that may go wrong with a popup once it was sent to its address. */
export const popupFaults: readonly (readonly [name: string, PopupFault])[] = Object.entries({
  ...faults,
  ...harmless,
})

type Windows = ReturnType<typeof pageWithWindows>
export interface FaultyPopups {
  readonly clock: TestClock
  readonly fault: PopupFault | undefined
  readonly lasting: boolean
  /** Makes the page; a plain one by default. */
  readonly make?: ((given: { blocked: () => boolean; clock: TestClock }) => Windows) | undefined
}

/** A page whose popups have a fault: each of them if it is lasting, or the first alone. */
export function pageWithFaultyPopups({ clock, fault, lasting, make = pageWithWindows }: FaultyPopups) {
  const { occurs, heal } = faultSwitch({ lasting })
  const post = ({ data, ...sender }: PopupMessage & Sender) => windows.say(data, sender)
  const windows = make({ blocked: () => fault === 'blocked' && occurs(), clock })
  const { openWindow } = windows.page
  windows.page.openWindow = () => {
    const opened = openWindow()
    if (opened && fault === 'closed when it opens' && occurs()) opened.close()
    return opened
  }
  /** The latest popup acts, once: it posts its result, unless the fault occurs. */
  function act(resultOf: () => PopupMessage): void {
    const popup = windows.sent()
    if (!popup) return
    const result = resultOf()
    const postFrom: SentPopup['post'] = (message) => post({ source: popup, ...message })
    if (typeof fault === 'function' && occurs()) fault({ popup, clock, result, post: postFrom })
    else postFrom(result)
  }
  return { ...windows, post, act, heal }
}
