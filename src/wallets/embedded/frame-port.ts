import { isOffline } from '../../lib/online.ts'

/** The vault's frame as the kit sees it: the interface between the proxy and the page. */
export interface FramePort {
  /** Sends to the frame's own origin, never to any other. */
  post(message: object): void
  close(): void
}
export interface FrameEvents {
  /** The frame has loaded a page: its own, or the browser's error page. */
  loaded(): void
  /** A message came from the frame's own window and origin. */
  message(data: unknown): void
  /** The page's security policy refused the frame. */
  blocked(directive: string): void
  /** Somebody removed the frame from the page. */
  removed(): void
  /** The browser has lost its network. */
  offline(): void
}
export type OpenFrame = (url: string, events: FrameEvents) => FramePort

/** Puts a hidden frame into a page. It is a child of the body, so that moving an element never reloads it. */
export const openFrame: OpenFrame = (url, events) => {
  const { origin } = new URL(url)
  const frame = document.createElement('iframe')
  const done = new AbortController()
  const { signal } = done

  frame.src = url
  frame.hidden = true
  frame.width = frame.height = '0'
  frame.title = 'Wallet'
  frame.tabIndex = -1
  frame.ariaHidden = 'true'
  frame.referrerPolicy = 'strict-origin'
  frame.sandbox.add('allow-scripts', 'allow-same-origin')

  frame.addEventListener('load', () => events.loaded(), { signal })
  window.addEventListener(
    'message',
    (event) => {
      if (event.source === frame.contentWindow && event.origin === origin) events.message(event.data)
    },
    { signal },
  )
  onBlocked(origin, signal, (directive) => events.blocked(directive))
  window.addEventListener('offline', () => events.offline(), { signal })
  const parent = document.body ?? document.documentElement
  const watch = new MutationObserver(() => frame.isConnected || events.removed())
  watch.observe(parent, { childList: true })
  parent.append(frame)

  return {
    post: (message) => frame.contentWindow?.postMessage(message, origin),
    close() {
      done.abort()
      watch.disconnect()
      frame.remove()
    },
  }
}

/** Reports when the page's security policy refuses a frame of this origin. */
export function onBlocked(origin: string, signal: AbortSignal, report: (directive: string) => void): void {
  document.addEventListener(
    'securitypolicyviolation',
    (event) => {
      if (/^(frame|child|default)-src/.test(event.effectiveDirective) && event.blockedURI.startsWith(origin))
        report(event.effectiveDirective)
    },
    { signal },
  )
}

/**
 * Reports that the browser has no network, now or later. The browser's own error page would come in place of a frame that is loaded
 * then, and be waited for in vain; what was on its way doesn't come any more, even once the network is back.
 */
export function onOffline(signal: AbortSignal, report: () => void): void {
  if (isOffline()) report()
  else window.addEventListener('offline', report, { signal })
}
