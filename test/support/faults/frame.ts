import { frameEvents } from '../../../src/protocol/frame/calls.ts'
import type { FrameEvents, OpenFrame } from '../../../src/wallets/embedded/frame-port.ts'
import type { TestClock } from '../clock.ts'
import { faultSwitch } from './matrix.ts'
import { wrongValues } from './values.ts'

export interface FrameRequest {
  readonly id: string
  readonly event: string
  readonly data: Record<string, unknown>
}
/** A frame that has got a request. */
export interface AskedFrame {
  readonly request: FrameRequest
  readonly events: FrameEvents
  readonly clock: TestClock
  /** Does what is requested, and gives the fields of the response. */
  act(): object
  /** Responds to the request, as long as the frame is open. */
  respond(fields: object): void
  /** From now on the frame responds to nothing. */
  die(): void
}
type Misbehaviour = (at: AskedFrame) => void
/** Faults of a frame in place of loading. Afterwards it responds to nothing. */
type LoadingFault = (events: FrameEvents) => void

const requestFaults: Readonly<Record<string, Misbehaviour>> = {
  'dies before the request is done': ({ die }) => die(),
  'dies once the request is done': ({ act, die }) => {
    act()
    die()
  },
  'never responds, and is alive': () => {},
  'never responds once the request is done': ({ act }) => void act(),
  'reloads before the request is done': ({ events, die }) => {
    die()
    events.loaded()
  },
  'reloads once the request is done': ({ act, events, die }) => {
    act()
    die()
    events.loaded()
  },
  'is removed from the page': ({ events, die }) => {
    die()
    events.removed()
  },
  ...Object.fromEntries(
    Object.entries(wrongValues).map(([name, data]): [string, Misbehaviour] => [
      `responds with ${name}`,
      ({ request: { id, event }, events }) => events.message({ id, event, data }),
    ]),
  ),
  'responds with an unknown error': ({ respond }) => respond({ error: { type: 'novel', message: 'x' } }),
  'responds with an error of another type': ({ respond }) => respond({ error: 'no' }),
  'responds to another request alone': ({ request, events }) =>
    events.message({ id: 'id-other', event: request.event, data: {} }),
}
/** Faults that cost time at most. */
const harmless: Readonly<Record<string, Misbehaviour>> = {
  'responds after 14.9 s': ({ clock, act, respond }) => {
    const done = act()
    clock.sleep(14_900).then(() => respond(done))
  },
  'responds twice': ({ act, respond }) => {
    const done = act()
    respond(done)
    respond(done)
  },
  'posts other messages before its response': ({ act, respond, events }) => {
    for (const message of [undefined, ...Object.values(wrongValues), { id: 'id-0' }, { data: {} }])
      events.message(message)
    respond(act())
  },
}
const loadingFaults: Readonly<Record<string, LoadingFault>> = {
  'is blocked by the page’s policy': (events) => events.blocked('frame-src'),
  'never loads': () => {},
  'loads and never responds': (events) => events.loaded(),
  'is removed as soon as it is inserted': (events) => events.removed(),
  'is cut off by a lost network': (events) => events.offline(),
}
export const isHarmlessInFrame = (name: string): boolean => Object.hasOwn(harmless, name)

type Event = keyof typeof frameEvents
export type FrameFault =
  | { readonly load: LoadingFault }
  | { readonly event: Event; readonly act: Misbehaviour }

type Row = readonly [place: string, name: string, FrameFault]
/** Everything that may go wrong with a frame while it loads, and with each of its requests. */
export const frameFaults = (events: readonly Event[]): Row[] => [
  ...Object.entries(loadingFaults).map(([name, load]): Row => ['frame', name, { load }]),
  ...events.flatMap((event) =>
    Object.entries({ ...requestFaults, ...harmless }).map(
      ([name, act]): Row => [event, name, { event, act }],
    ),
  ),
]

export interface FaultyFrames {
  readonly clock: TestClock
  readonly fault: FrameFault | undefined
  readonly lasting: boolean
  /** Does what is requested, and gives the fields of the response. */
  readonly act: (request: FrameRequest) => object
}

/** Frames of a vault that have a fault: each of them if it is lasting, or the first alone. */
export function faultyFrames({ clock, fault, lasting, act }: FaultyFrames) {
  const { occurs, heal } = faultSwitch({ lasting })
  const requested: string[] = []
  const frames: { isOpen: boolean }[] = []
  const open: OpenFrame = (_, events) => {
    const frame = { isOpen: true, isDead: false }
    frames.push(frame)
    const die = () => {
      frame.isDead = true
    }
    if (fault && 'load' in fault && occurs())
      queueMicrotask(() => {
        die()
        fault.load(events)
      })
    else queueMicrotask(() => events.loaded())

    function receive(request: FrameRequest): void {
      const { id, event } = request
      const respond = (fields: object) => {
        if (frame.isOpen) events.message({ id, event, ...fields })
      }
      if (fault && 'event' in fault && event === frameEvents[fault.event] && occurs())
        fault.act({ request, events, clock, respond, die, act: () => act(request) })
      else respond(act(request))
    }
    return {
      post(raw) {
        const request = raw as FrameRequest
        if (frame.isDead || !frame.isOpen) return
        if (request.event !== frameEvents.ready) requested.push(request.event)
        queueMicrotask(() => receive(request))
      },
      close() {
        frame.isOpen = false
      },
    }
  }
  return { open, heal, requested, openFrames: () => frames.filter(({ isOpen }) => isOpen).length }
}
