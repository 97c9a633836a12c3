/** `window.turnstile` as the vendor's script makes it. Nothing here is refused under Trusted Types or a strict policy. */
type Options = Record<string, unknown>
interface Widget {
  id: string
  host: Element
  box: HTMLElement
  options: Options
  frame?: HTMLIFrameElement | undefined
  response?: string | undefined
  expired: boolean
  busy: boolean
  timer?: ReturnType<typeof setTimeout> | undefined
}

class TurnstileError extends Error {
  override name = 'TurnstileError'
  constructor(
    text: string,
    readonly code: number,
  ) {
    super(`[Cloudflare Turnstile] ${text}`)
  }
}

const own = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : ''
const address = new URL(own, location.href)
const frames = new URL('frame', address)
const widgets = new Map<string, Widget>()
/** Tries of this page by site key. */
const tries = new Map<string, number>()

const warn = (text: string) => console.warn(`[Cloudflare Turnstile] ${text}`)
const textOf = (options: Options, name: string) => (typeof options[name] === 'string' ? options[name] : '')
function call(widget: Widget, name: string, ...values: unknown[]): unknown {
  const callback = widget.options[name]
  return typeof callback === 'function' ? callback(...values) : undefined
}

function stop(widget: Widget) {
  clearTimeout(widget.timer)
  widget.frame?.remove()
  widget.frame = undefined
  widget.busy = false
}

function run(widget: Widget) {
  stop(widget)
  widget.response = undefined
  widget.expired = false
  widget.busy = true
  const { options } = widget
  const key = textOf(options, 'sitekey')
  const count = tries.get(key) ?? 0
  tries.set(key, count + 1)
  const url = new URL(frames)
  const values = { sitekey: key, action: textOf(options, 'action'), cdata: textOf(options, 'cData') }
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value)
  url.searchParams.set('tries', String(count))
  url.searchParams.set('widget', widget.id)
  url.searchParams.set('origin', window.origin)
  const frame = document.createElement('iframe')
  frame.title = 'Widget containing a Cloudflare security challenge'
  frame.src = url.href
  widget.frame = frame
  show(widget, options.appearance !== 'interaction-only')
  widget.box.append(frame)
}

function show({ frame }: Widget, visible: boolean) {
  if (!frame) return
  frame.style.border = '0'
  frame.style.display = visible ? 'block' : 'none'
  frame.style.width = '300px'
  frame.style.height = '65px'
}

function again(widget: Widget, how: string) {
  if ((textOf(widget.options, how) || 'auto') === 'auto') run(widget)
}

const heard: Record<string, (widget: Widget, data: Options) => void> = {
  'interactive-begin': (widget) => {
    show(widget, true)
    call(widget, 'before-interactive-callback')
  },
  'interactive-end': (widget) => void call(widget, 'after-interactive-callback'),
  timeout: (widget) => {
    stop(widget)
    call(widget, 'timeout-callback')
    again(widget, 'refresh-timeout')
  },
  solved: (widget, { token, life }) => {
    widget.busy = false
    widget.response = String(token)
    for (const field of widget.box.querySelectorAll('input')) field.value = String(token)
    if (widget.options.appearance === 'interaction-only') show(widget, false)
    widget.timer = setTimeout(() => {
      widget.response = undefined
      widget.expired = true
      call(widget, 'expired-callback', token)
      again(widget, 'refresh-expired')
    }, Number(life))
    call(widget, 'callback', token)
  },
  failed: (widget, { error }) => {
    stop(widget)
    if (!call(widget, 'error-callback', error)) warn(`Error: ${error}.`)
    if ((textOf(widget.options, 'retry') || 'auto') === 'auto')
      widget.timer = setTimeout(() => run(widget), Number(widget.options['retry-interval'] ?? 8_000))
  },
}

addEventListener('message', ({ data, origin, source }: MessageEvent) => {
  if (origin !== frames.origin || data?.source !== 'turnstile') return
  const widget = widgets.get(data.widget)
  if (widget?.frame && widget.frame.contentWindow === source) heard[data.event]?.(widget, data)
})

const elementOf = (container: unknown) =>
  typeof container === 'string' ? document.querySelector(container) : container
function find(given: unknown): Widget | undefined {
  if (given === undefined) return [...widgets.values()].at(-1)
  return widgets.get(String(given)) ?? [...widgets.values()].find(({ host }) => host === elementOf(given))
}

const turnstile = {
  ready(callback: () => void) {
    queueMicrotask(callback)
  },
  render(container: unknown, options: Options = {}): string | undefined {
    const host = elementOf(container)
    if (!(host instanceof Element))
      throw new TurnstileError(`Unable to find a container for "${container}".`, 3585)
    if (typeof options.sitekey !== 'string')
      throw new TurnstileError(
        `Invalid or missing type for parameter "sitekey", expected "string", got "${typeof options.sitekey}".`,
        3588,
      )
    if (options.action !== undefined && !/^[\w-]{0,32}$/.test(String(options.action)))
      throw new TurnstileError(
        `Invalid input for optional parameter "action", got "${options.action}".`,
        3604,
      )
    if (options.size !== undefined && !['normal', 'compact', 'flexible'].includes(String(options.size)))
      throw new TurnstileError(`Invalid value for parameter "size", got "${options.size}".`, 3595)
    const id = `cf-chl-widget-${Math.random().toString(36).slice(2, 7)}`
    const box = document.createElement('div')
    if (options['response-field'] !== false) {
      const field = document.createElement('input')
      field.type = 'hidden'
      field.name = textOf(options, 'response-field-name') || 'cf-turnstile-response'
      field.id = `${id}_response`
      box.append(field)
    }
    host.append(box)
    const widget: Widget = { id, host, box, options, expired: false, busy: false }
    widgets.set(id, widget)
    if ((options.execution ?? 'render') === 'render') run(widget)
    return id
  },
  execute(given: unknown, options?: Options) {
    const known = find(given)
    const id = known ? undefined : options && turnstile.render(given, { ...options, execution: 'execute' })
    const widget = known ?? (id ? widgets.get(id) : undefined)
    if (!widget) return warn('Cannot find Widget, consider using turnstile.render() first.')
    if (widget.busy) return warn('Call to execute() on a widget that is already executing.')
    if (widget.response) return warn('Call to execute() on a widget that was already executed.')
    run(widget)
  },
  reset(given?: unknown) {
    const widget = find(given)
    if (!widget) throw new TurnstileError('Nothing to reset found for provided container.', 3329)
    stop(widget)
    widget.response = undefined
    widget.expired = false
    if ((widget.options.execution ?? 'render') === 'render') run(widget)
  },
  remove(given?: unknown) {
    const widget = find(given)
    if (!widget) return warn('Nothing to remove found for the provided container.')
    stop(widget)
    widget.box.remove()
    widgets.delete(widget.id)
  },
  getResponse: (given?: unknown) => find(given)?.response,
  isExpired: (given?: unknown) => find(given)?.expired ?? false,
}

const page = window as unknown as Record<string, unknown>
if (page.turnstile) warn('Turnstile already has been loaded. Was Turnstile imported multiple times?')
else {
  page.turnstile = turnstile
  const whenParsed = (work: () => void) =>
    document.readyState === 'loading' ? addEventListener('DOMContentLoaded', work) : queueMicrotask(work)
  const onload = address.searchParams.get('onload')
  if (onload) {
    const loaded = page[onload]
    whenParsed(() => typeof loaded === 'function' && loaded())
  }
  if (address.searchParams.get('render') !== 'explicit')
    whenParsed(() => {
      for (const element of document.querySelectorAll<HTMLElement>('.cf-turnstile')) {
        const { callback, ...data } = element.dataset
        turnstile.render(element, { ...data, callback: callback && page[callback] })
      }
    })
}

export {}
