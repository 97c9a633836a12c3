import type { Turnstile, WidgetParameters } from '../../src/protocol/outside/turnstile.ts'

/** One widget that was made, with what happened to it. */
export interface FakeWidget {
  readonly parameters: WidgetParameters
  executed: number
  resets: number
  removed: boolean
}
type Conduct = (widget: FakeWidget, tries: number) => void

/** What a widget does when it is executed. */
export const conducts = {
  passes: (widget, tries) => widget.parameters.callback?.(`token-${tries}`),
  fails: (widget) => void widget.parameters['error-callback']?.('300030'),
  silent: () => {},
  asks: (widget) => widget.parameters['before-interactive-callback']?.(),
} satisfies Record<string, Conduct>

interface Vendor {
  /** What each try does, over all widgets of the page; the last one stays. */
  tries?: Conduct[]
  /** What becomes of each script tag; the last one stays. */
  scripts?: ('loads' | 'fails' | 'hangs')[]
  /** Throws at the reset of a widget. */
  resetFails?: boolean
}

/** The window of a page with a scripted captcha. */
export function captchaPage({ tries = [conducts.passes], scripts = ['loads'], resetFails }: Vendor = {}) {
  const widgets: FakeWidget[] = []
  const tags: { src: string; removed: boolean }[] = []
  const boxes: { isConnected: boolean; style: object; gone: number }[] = []
  let count = 0
  let loads = 0

  const turnstile: Turnstile = {
    render(_, parameters) {
      widgets.push({ parameters, executed: 0, resets: 0, removed: false })
      return String(widgets.length - 1)
    },
    execute(id) {
      const widget = widgets[Number(id)]
      if (!widget) throw new Error('no such widget')
      widget.executed++
      count++
      tries[Math.min(count, tries.length) - 1]?.(widget, count)
    },
    reset(id) {
      const widget = widgets[Number(id)]
      if (resetFails || !widget) throw new Error('it can’t be reset')
      widget.resets++
    },
    remove(id) {
      const widget = widgets[Number(id)]
      if (widget) widget.removed = true
    },
  }

  function script() {
    const heard = new Map<string, () => void>()
    const tag = {
      src: '',
      removed: false,
      setAttribute() {},
      addEventListener: (type: string, listener: () => void) => void heard.set(type, listener),
      remove() {
        tag.removed = true
      },
      insert() {
        tags.push(tag)
        const fate = scripts[Math.min(loads++, scripts.length - 1)]
        if (fate === 'hangs') return
        queueMicrotask(() => {
          if (fate === 'loads') window.turnstile = turnstile
          heard.get(fate === 'loads' ? 'load' : 'error')?.()
        })
      },
    }
    return tag
  }
  function div() {
    const box = {
      isConnected: true,
      style: {},
      gone: 0,
      ownerDocument: document,
      remove: () => void box.gone++,
    }
    boxes.push(box)
    return box
  }
  const document: object = {
    addEventListener() {},
    createElement: (name: string) => (name === 'script' ? script() : div()),
    head: { append: (tag: ReturnType<typeof script>) => tag.insert() },
    body: { append() {} },
  }
  const window: { document: object; turnstile?: Turnstile } = { document }
  return { window: window as unknown as Window, widgets, tags, boxes }
}
