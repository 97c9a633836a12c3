/** What a page listens for to close its own things, to keep the focus, or to run its shortcuts. */
const pointer = ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'touchstart', 'touchend']
const focus = ['focusin', 'focusout']
const keys = ['keydown', 'keyup', 'keypress']

/**
 * Keeps what happens in a dialog from the page behind it: shortcuts of the page that would run while somebody types an
 * address, focus traps of its dialogs, menus that close on any click. In the page (`inline`) only typing is kept.
 * What the page itself has slotted in stays the page's.
 */
export function contain(view: HTMLElement, isModal: () => boolean): void {
  const ours = (event: Event) => (event.target as Node).getRootNode() === view.getRootNode()
  for (const type of [...pointer, ...focus])
    view.addEventListener(type, (event) => {
      if (isModal() && ours(event)) event.stopPropagation()
    })
  for (const type of keys)
    view.addEventListener(type, (event) => {
      if (ours(event) && (isModal() || isField(event.target))) event.stopPropagation()
    })
  const hold = (event: Event) => {
    if (isModal() && event.cancelable && !scrollsInside(event, view)) event.preventDefault()
  }
  view.addEventListener('wheel', hold, { passive: false })
  view.addEventListener('touchmove', hold, { passive: false })
}

// Not by `instanceof`: after a move into another document, elements and events are of another window's classes.
const isField = (target: EventTarget | null) => (target as Element).matches('input, textarea, select')

/** Whether something between the pointer and the dialog can scroll; else the page behind would. */
function scrollsInside(event: Event & Partial<TouchEvent>, view: HTMLElement): boolean {
  const zooms = event.ctrlKey || (event.touches?.length ?? 1) > 1
  const path = event.composedPath()
  return (
    zooms ||
    path.slice(0, path.indexOf(view)).some((node) => {
      const { scrollHeight = 0, clientHeight = 0 } = node as Partial<Element>
      return scrollHeight > clientHeight && /auto|scroll/.test(getComputedStyle(node as Element).overflowY)
    })
  )
}
