/** Events that pages listen to for closing their own things, keeping the focus, or running shortcuts. */
const pointer = ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'touchstart', 'touchend']
const focus = ['focusin', 'focusout']
const keys = ['keydown', 'keyup', 'keypress']

/**
 * Keeps events inside a dialog from the page behind it: shortcuts that would run while somebody types an
 * address, focus traps, menus that close on any click. With `inline` only typing is kept in. What the page
 * has slotted in stays the page's.
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

// `instanceof` fails after a move into another document, where classes are another window's.
const isField = (target: EventTarget | null) => (target as Element).matches('input, textarea, select')

/** Whether something between the pointer and the dialog can scroll; otherwise the page behind would. */
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
