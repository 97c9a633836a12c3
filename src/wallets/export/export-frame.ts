import type { KitError } from '../../errors/kit-error.ts'
import { type Clock, TimedOut, within } from '../../lib/clock.ts'
import {
  type ExportLook,
  type ExportMessage,
  type ExportToken,
  exportHello,
  readExportMessage,
} from '../../protocol/frame/export.ts'
import { frameLimits } from '../../protocol/frame/limits.ts'
import { onBlocked, onOffline } from '../embedded/frame-port.ts'
import { crashed, fromVault, offline, unreachable } from '../embedded/vault-frame.ts'
import { walletsLimits } from '../limits.ts'

/** What the frame reports. Never anything of a key. */
export interface ExportEvents {
  /** The vault has drawn what the person may press. */
  ready(): void
  /** The person has seen or copied it. */
  exported(what: 'key' | 'phrase', how: 'shown' | 'copied'): void
  /**
   * There is nothing to press, or no longer: `wallet_not_on_device` if it must be recovered first,
   * `vault_timeout`, `vault_unavailable`, `vault_crashed`, `network_unavailable` while the browser has no network to load it with, or
   * the vault's own type. Reported once, and nothing after it.
   */
  failed(error: KitError): void
}
export interface ExportFrame {
  /**
   * Puts the frame into an element; returns a function that removes it. Only once: a frame that moves is
   * reloaded, and its ticket is used up by then.
   */
  mount(into: HTMLElement, look: ExportLook): () => void
  /** Removes it from the page, and reports nothing more. */
  close(): void
}
export interface OpenExport {
  /** The result of `exportUrl`, with a new ticket in it. */
  readonly url: (look: ExportLook) => string
  /** Sent over the frame's own port, because an address would end up in histories and logs. */
  readonly accessToken: string
  readonly clock: Clock
  readonly events: ExportEvents
  readonly signal?: AbortSignal | undefined
}

/** The frame in which the vault shows a wallet's key to the person, and to nobody else. */
export function openExport({ url, accessToken, clock, events, signal }: OpenExport): ExportFrame {
  const lifetime = new AbortController()
  const channel = new MessageChannel()
  const frame = createFrame()
  let wasReady = false
  let isReady = () => {}
  const ready = new Promise<void>((resolve) => {
    isReady = () => {
      wasReady = true
      resolve()
    }
  })

  function close(): void {
    if (lifetime.signal.aborted) return
    lifetime.abort()
    channel.port1.close()
    frame.remove()
  }
  function fail(error: KitError): void {
    if (lifetime.signal.aborted) return
    close()
    events.failed(error)
  }
  function onMessage(message: ExportMessage): void {
    if (message.type === 'ready') {
      isReady()
      events.ready()
    } else if (message.type === 'height') {
      frame.style.height = `${Math.min(Math.ceil(message.height), walletsLimits.exportFrameHeight)}px`
    } else if (message.type === 'exported') events.exported(message.what, message.how)
    else fail(fromVault(message.error.type, message.error.message))
  }
  channel.port1.onmessage = ({ data }) => {
    const message = readExportMessage(data)
    if (message && !lifetime.signal.aborted) onMessage(message)
  }
  signal?.addEventListener('abort', close, { once: true, signal: lifetime.signal })
  if (signal?.aborted) close()
  within(clock, frameLimits.readyForAction, () => ready, lifetime.signal).catch((cause: unknown) => {
    if (cause instanceof TimedOut) fail(unreachable('vault_timeout', 'the export frame is not ready', cause))
  })

  let mounted = false
  function mount(into: HTMLElement, look: ExportLook): () => void {
    if (mounted || lifetime.signal.aborted) return () => {}
    mounted = true
    const address = url(look)
    const { origin } = new URL(address)
    let loaded = false
    const onLoad = () => {
      if (loaded) return fail(crashed('the export frame was loaded anew'))
      loaded = true
      frame.contentWindow?.postMessage(exportHello, origin, [channel.port2])
      channel.port1.postMessage({ type: 'token', accessToken } satisfies ExportToken)
    }
    frame.addEventListener('load', onLoad, { signal: lifetime.signal })
    onBlocked(origin, lifetime.signal, (directive) =>
      fail(unreachable('vault_unavailable', `blocked by the page's policy: ${directive}`)),
    )
    onOffline(lifetime.signal, () => wasReady || fail(offline()))
    if (lifetime.signal.aborted) return () => {}
    frame.allow = `clipboard-write ${origin}`
    frame.src = address
    into.append(frame)
    return close
  }
  return { mount, close }
}

function createFrame(): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.title = 'Private key'
  // Without a referrer some browsers also hide from the vault whose page it stands in, and it refuses those it can't know.
  frame.referrerPolicy = 'strict-origin'
  frame.sandbox.add('allow-scripts', 'allow-same-origin', 'allow-forms')
  Object.assign(frame.style, {
    display: 'block',
    width: '100%',
    height: '0',
    border: '0',
    colorScheme: 'normal',
  })
  return frame
}
