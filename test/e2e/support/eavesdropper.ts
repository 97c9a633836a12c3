/** A host page that listens to whatever it can, as a planted script would. */
import type { Page } from '@playwright/test'

/** Something that the page got hold of: text, or bytes as hex. */
export interface Heard {
  /** Where: `fetch`, `to frame http://localhost:4802` … */
  readonly via: string
  readonly text: string
}

declare global {
  interface Window {
    eavesdropped: Heard[]
  }
}

/**
 * Hooks the host's pages before any of their own code; frames of other origins are out of reach, as for any
 * script.
 */
export async function eavesdrop(page: Page, origin: string): Promise<void> {
  await page.addInitScript(`if (location.origin === '${origin}') (${hook})()`)
}

/** What the page got hold of since the last time, and what is in its document and storage now. */
export const overheard = (page: Page): Promise<Heard[]> =>
  page.evaluate(() => {
    const markup = (root: Document | ShadowRoot): string[] => [
      root instanceof Document ? root.documentElement.outerHTML : root.innerHTML,
      ...Array.from(root.querySelectorAll('input, textarea'), (field) => (field as HTMLInputElement).value),
      ...Array.from(root.querySelectorAll('*')).flatMap((each) =>
        each.shadowRoot ? markup(each.shadowRoot) : [],
      ),
    ]
    const still = { document: markup(document), cookies: [document.cookie], address: [location.href] }
    const stored = [localStorage, sessionStorage].flatMap((storage) =>
      Array.from({ length: storage.length }, (_, at) => storage.getItem(storage.key(at) ?? '') ?? ''),
    )
    const left = Object.entries({ ...still, stored }).flatMap(([via, texts]) =>
      texts.map((text) => ({ via, text })),
    )
    return [...window.eavesdropped.splice(0), ...left]
  })

/** Runs in the page. */
function hook(): void {
  const heard: Heard[] = []
  window.eavesdropped = heard
  // The originals, so that the hooks don't record themselves.
  const { apply, ownKeys, getOwnPropertyDescriptor, defineProperty } = Reflect
  const { isView } = ArrayBuffer

  const keep = (via: string, value: unknown, depth = 0): void => {
    if (typeof value === 'string') {
      if (value !== '') heard[heard.length] = { via, text: value }
    } else if (value instanceof ArrayBuffer || isView(value)) {
      const bytes = isView(value)
        ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
        : new Uint8Array(value)
      let text = ''
      for (let at = 0; at < bytes.length; at++) text += ((bytes[at] ?? 0) + 256).toString(16).slice(1)
      heard[heard.length] = { via, text }
    } else if (value instanceof URLSearchParams || value instanceof URL || value instanceof Error) {
      keep(via, `${value}`)
    } else if (typeof value === 'object' && value !== null && depth < 6) {
      if (value instanceof Node || value === window) return
      for (const name of ownKeys(value)) {
        if (typeof name === 'string' && depth > 0) keep(via, name, depth + 1)
        keep(via, getOwnPropertyDescriptor(value, name)?.value, depth + 1)
      }
    }
  }
  const wrap = (owner: object, name: string, via: string, result?: (value: unknown) => void, depth = 0) => {
    const real = getOwnPropertyDescriptor(owner, name)?.value as (...args: unknown[]) => unknown
    defineProperty(owner, name, {
      configurable: true,
      writable: true,
      value(this: unknown, ...args: unknown[]) {
        for (let at = 0; at < args.length; at++) keep(via, args[at], depth)
        const came = apply(real, this, args)
        result?.(came)
        return came
      },
    })
  }
  const later = (via: string) => (promise: unknown) =>
    void (promise as Promise<unknown>).then(
      (value) => keep(via, value),
      () => {},
    )

  const fetchAnswer = (promise: unknown) =>
    void (promise as Promise<Response>).then(
      (response) => {
        response.headers.forEach((value) => {
          keep('fetch answer', value)
        })
        response
          .clone()
          .text()
          .then((text) => keep('fetch answer', text))
          .catch(() => {})
      },
      () => {},
    )
  wrap(window, 'fetch', 'fetch', fetchAnswer)
  for (const name of ['open', 'send', 'setRequestHeader']) wrap(XMLHttpRequest.prototype, name, 'XHR')
  wrap(Navigator.prototype, 'sendBeacon', 'sendBeacon')
  wrap(WebSocket.prototype, 'send', 'WebSocket')
  wrap(MessagePort.prototype, 'postMessage', 'MessagePort')
  wrap(BroadcastChannel.prototype, 'postMessage', 'BroadcastChannel')
  wrap(Storage.prototype, 'setItem', 'setItem')
  wrap(JSON, 'parse', 'JSON.parse', (value) => keep('JSON.parse', value))
  wrap(JSON, 'stringify', 'JSON.stringify', (value) => keep('JSON.stringify', value))
  for (const name of [
    'encrypt',
    'decrypt',
    'sign',
    'digest',
    'importKey',
    'exportKey',
    'deriveBits',
    'verify',
  ])
    wrap(SubtleCrypto.prototype, name, `subtle.${name}`, later(`subtle.${name}`))
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table'])
    wrap(console, name, 'console')
  wrap(CustomElementRegistry.prototype, 'define', 'customElements.define')
  wrap(TextEncoder.prototype, 'encode', 'TextEncoder')
  wrap(TextDecoder.prototype, 'decode', 'TextDecoder', (value) => keep('TextDecoder', value))
  for (const name of ['btoa', 'atob']) wrap(window, name, name, (value) => keep(name, value))
  wrap(Clipboard.prototype, 'writeText', 'clipboard')
  // Plain texts only, because the page's frameworks push everything they have.
  wrap(Array.prototype, 'push', 'push', undefined, 6)

  // Wrapping the page's own postMessage would make it the sender of its popups' messages; everything that
  // arrives is recorded here.
  window.addEventListener('message', (event) => keep(`from ${event.origin}`, event.data), true)
  for (const proto of [
    MessagePort.prototype,
    BroadcastChannel.prototype,
    Worker.prototype,
  ] as EventTarget[]) {
    const real = getOwnPropertyDescriptor(proto, 'onmessage')
    defineProperty(proto, 'onmessage', {
      ...real,
      set(this: EventTarget, listener: unknown) {
        this.addEventListener('message', (event) => keep('MessagePort', (event as MessageEvent).data))
        real?.set?.call(this, listener)
      },
    })
  }

  // A window of another origin can't be hooked, but the page's reference to it can.
  const stands = new Map<object, object>()
  const standFor = (target: Window) => {
    const known = stands.get(target)
    if (known) return known
    const stand = new Proxy(Object.create(null) as object, {
      get(_, name) {
        if (name !== 'postMessage') return Reflect.get(target, name)
        return (...args: unknown[]) => {
          const to = typeof args[1] === 'string' ? args[1] : 'anybody'
          keep(`to frame ${to}`, args[0])
          return apply(target.postMessage, target, args)
        }
      },
    })
    stands.set(target, stand)
    return stand
  }
  const inFrame = getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'contentWindow')
  defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
    ...inFrame,
    get() {
      const target = inFrame?.get?.call(this) as Window | null
      return target && standFor(target)
    },
  })
  const source = getOwnPropertyDescriptor(MessageEvent.prototype, 'source')
  defineProperty(MessageEvent.prototype, 'source', {
    ...source,
    get() {
      const real = source?.get?.call(this) as object | null
      return (real && stands.get(real)) ?? real
    },
  })

  for (const name of [
    ...['privateKey', 'mnemonic', 'phrase', 'entropy', 'seed', 'secret', 'share', 'password', 'key'],
    ...['recoveryPassword', 'recoveryKey', 'refreshToken', 'refresh_token', 'auth_share', 'package'],
  ])
    defineProperty(Object.prototype, name, {
      configurable: true,
      get: () => undefined,
      set(value) {
        keep(`setter ${name}`, value)
        defineProperty(this, name, { value, configurable: true, enumerable: true, writable: true })
      },
    })
}
