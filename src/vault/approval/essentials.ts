/** The elements that have to have been in view, together with the button, before it takes a press. */
export interface Essentials {
  /**
   * Looks at what is in view now. `seen`: all of it has been. `here`: the rest is in view at this moment. `elsewhere`: some of it has to be
   * scrolled to.
   * @param counts whether a person can see what is drawn
   */
  look(counts: boolean): 'seen' | 'here' | 'elsewhere'
  /** There is less room than before, or something else in it. */
  forget(): void
}

interface Edges {
  top: number
  bottom: number
  left: number
  right: number
}
/** Which ends of an element have been in view. */
interface Sight {
  start: boolean
  end: boolean
}

/** Half a line of text at most is hidden by the fading ends of what scrolls. */
const faded = 8
/** A box that is scrolled to within its padding is at its end. */
const margin = 12
/** As much of an element as tells that its first or last line is there. */
const line = 18
/** Screens come in from the side, and rounding moves edges. */
const slack = { across: 16, down: 2 }

const approvers = '[part~=button-primary],[part~=button-danger]'

/** Watches over the elements of the present screen that are marked `data-essential`. */
export function watchEssentials(window: Window, root: ShadowRoot): Essentials {
  let sights = new WeakMap<Element, Sight>()
  return {
    look(counts) {
      const layer = root.querySelector('[data-layer]:not([inert])')
      const all = [...(layer?.querySelectorAll('[data-essential]') ?? [])].filter(isDrawn)
      const button = layer?.querySelector('[data-approves]') ?? layer?.querySelector(approvers)
      if (!layer || !button || all.length === 0) return 'seen'
      const missing = all.filter((each) => !isSeen(sights.get(each)))
      if (missing.length === 0) return 'seen'
      const at = ends(window, layer, button)
      const isBeside = at.start && at.end
      let isElsewhere = false
      let isComplete = true
      for (const each of missing) {
        const now = isBeside ? ends(window, layer, each) : { start: false, end: false }
        const before = sights.get(each) ?? { start: false, end: false }
        const after = { start: before.start || now.start, end: before.end || now.end }
        if (counts) sights.set(each, after)
        if (!isSeen(after)) isElsewhere = true
        else if (!counts) isComplete = false
      }
      if (isElsewhere) return 'elsewhere'
      return isComplete ? 'seen' : 'here'
    },
    forget() {
      sights = new WeakMap()
    },
  }
}

const isSeen = (sight: Sight | undefined) => sight?.start === true && sight.end
const isDrawn = (element: Element) => element.getClientRects().length > 0

/** Whether the first and the last line of an element are in view. */
function ends(window: Window, layer: Element, element: Element): Sight {
  const { top, bottom, left, right } = element.getBoundingClientRect()
  const view = viewOf(window, layer, element)
  if (left < view.left - slack.across || right > view.right + slack.across)
    return { start: false, end: false }
  const part = Math.min(line, bottom - top)
  const isIn = (from: number, to: number) => from >= view.top - slack.down && to <= view.bottom + slack.down
  return { start: isIn(top, top + part), end: isIn(bottom - part, bottom) }
}

/** What of the page shows an element: the boxes around it cut it off, and so do a header and a footer that stay. */
function viewOf(window: Window, layer: Element, element: Element): Edges {
  const view = { top: 0, left: 0, bottom: window.innerHeight, right: window.innerWidth }
  for (let box = parentOf(element); box; box = parentOf(box)) {
    const { overflowX, overflowY } = window.getComputedStyle(box)
    if (overflowX === 'visible' && overflowY === 'visible') continue
    const { top, left, bottom, right } = box.getBoundingClientRect()
    const scrolls = overflowY === 'auto' || overflowY === 'scroll'
    const isScrolled = scrolls && box.scrollTop > margin
    const hasMore = scrolls && box.scrollHeight - box.clientHeight - box.scrollTop > margin
    view.top = Math.max(view.top, top + (isScrolled ? faded : 0))
    view.bottom = Math.min(view.bottom, bottom - (hasMore ? faded : 0))
    view.left = Math.max(view.left, left)
    view.right = Math.min(view.right, right)
  }
  const strip = layer.querySelector('[data-strip]')
  // A hero rises beside the buttons of a header that is clear until something scrolls.
  if (strip && !strip.contains(element) && !isClear(window, strip))
    view.top = Math.max(view.top, strip.getBoundingClientRect().bottom)
  const footer = layer.querySelector('[part=footer]')
  if (footer && !footer.contains(element))
    view.bottom = Math.min(view.bottom, footer.getBoundingClientRect().top)
  return view
}

/** Whether what is below an element can be seen through it. */
const isClear = (window: Window, element: Element) =>
  /^(transparent|rgba\(\d+, \d+, \d+, 0\))$/.test(window.getComputedStyle(element).backgroundColor)

function parentOf(element: Element): Element | null {
  if (element.parentElement) return element.parentElement
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? root.host : null
}
