/** What a person does with a page: they find things by their words, point at them and type. */

import { expect } from 'vitest'
import { limit } from '../support/limit.ts'
import type { Tab } from './engine.ts'

/** Runs in the page. What is looked for may be in shadow roots, and must be what a pointer would meet. */
function pageHelpers() {
  const all = (root: Document | ShadowRoot | Element): Element[] =>
    [...root.querySelectorAll('*')].flatMap((each) => [
      each,
      ...(each.shadowRoot ? all(each.shadowRoot) : []),
    ])
  const wordsOf = (element: Element): string => {
    const root = element.getRootNode() as Document | ShadowRoot
    const labels = [...((element as HTMLInputElement).labels ?? [])].map((label) => label.textContent ?? '')
    const named = (element.getAttribute('aria-labelledby') ?? '')
      .split(' ')
      .map((id) => (id && root.getElementById(id)?.textContent) || '')
    const own = element.matches('input, textarea') ? '' : (element.textContent ?? '')
    const [words = ''] = [element.getAttribute('aria-label'), ...named, ...labels, own].filter(Boolean)
    return (words ?? '').replace(/\s+/g, ' ').trim()
  }
  const met = (element: Element, x: number, y: number): boolean => {
    let top = document.elementFromPoint(x, y)
    while (top?.shadowRoot) {
      const inner = top.shadowRoot.elementFromPoint(x, y)
      if (!inner || inner === top) break
      top = inner
    }
    for (let each: Node | null = top; each; each = each.parentNode ?? (each as ShadowRoot).host ?? null)
      if (
        each === element ||
        ((element as HTMLInputElement).labels?.length && each === (element as HTMLInputElement).labels?.[0])
      )
        return true
    return false
  }
  /** Whether the vault judges presses by what can be seen: the second of quiet, in which it takes none, is over. */
  const isQuiet = (element: Element) => {
    const root = element.getRootNode()
    return !(root instanceof ShadowRoot && root.host.getAttribute('data-hold') === 'early')
  }
  /**
   * The point of the first thing of that kind and those words, once it stands still and nothing covers it. A screen that has just
   * arrived lets pointers through to what is behind it.
   */
  const find = async (kind: string, words: string, isStart: boolean) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    for (const element of all(document)) {
      if (!element.matches(kind) || (element as HTMLButtonElement).disabled) continue
      const own = wordsOf(element)
      if (words !== '' && (isStart ? !own.startsWith(words) : own !== words)) continue
      element.scrollIntoView({ block: 'nearest' })
      const before = element.getBoundingClientRect()
      await frame()
      await frame()
      const box = element.getBoundingClientRect()
      if (box.width === 0 || box.x !== before.x || box.y !== before.y) continue
      const x = Math.round(box.x + box.width / 2)
      const y = Math.round(box.y + box.height / 2)
      if (met(element, x, y) && isQuiet(element)) return { x, y }
    }
    return null
  }
  const focused = () => {
    let element = document.activeElement
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
    return element ? { kind: element.localName, words: wordsOf(element) } : null
  }
  const textOf = (selector: string) => document.querySelector(selector)?.textContent ?? null
  const words = () =>
    all(document)
      .filter((element) => element.matches('dialog[open]'))
      .map((element) => (element as HTMLElement).textContent)
      .join('\n')
  const corner = (kind: string) => {
    const box = all(document)
      .find((element) => element.matches(kind))
      ?.getBoundingClientRect()
    return box ? { x: box.x, y: box.y } : null
  }
  return { find, focused, textOf, words, corner }
}
const helpers = `(${pageHelpers.toString()})()`

const patient = { timeout: limit(30_000), interval: 200 }
interface Point {
  x: number
  y: number
}

export function personAt(tab: Tab) {
  const pageOnly = (expression: string) => tab.evaluate<Point | null>(expression)
  async function find(kind: string, words: string, isStart = false, within = pageOnly): Promise<Point> {
    let found: Point | null = null
    const look = `${helpers}.find(${JSON.stringify(kind)}, ${JSON.stringify(words)}, ${isStart})`
    await expect
      .poll(
        async () => {
          found = await within(look)
          return found !== null
        },
        { ...patient, message: `${kind} “${words}”` },
      )
      .toBe(true)
    return found as unknown as Point
  }
  const pointAt = ({ x, y }: Point) =>
    tab.act([{ type: 'pointer', id: 'mouse', actions: [{ type: 'pointerMove', x, y }] }])
  const pressAt = ({ x, y }: Point) =>
    tab.act([
      {
        type: 'pointer',
        id: 'mouse',
        actions: [
          { type: 'pointerMove', x, y },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      },
    ])
  const type = (text: string) =>
    tab.act([
      {
        type: 'key',
        id: 'keyboard',
        actions: [...text].flatMap((value) => [
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ]),
      },
    ])
  return {
    goto: tab.goto,
    type,
    async press(words: string, kind = 'button') {
      await pressAt(await find(kind, words))
    },
    async pressStart(words: string) {
      await pressAt(await find('button', words, true))
    },
    async fill(label: string, text: string) {
      await pressAt(await find('input, textarea', label))
      await type(text)
    },
    /** Points at something in a frame of another origin. */
    async pressInFrame(frame: string, address: string, words: string) {
      const within = <T>(expression: string) => tab.evaluateInFrame<T>(address, expression)
      await find(frame, '')
      const { x, y } = await find('button', words, false, (expression) =>
        within<Point | null>(expression).catch(() => null),
      )
      const corner = await tab.evaluate<Point>(`${helpers}.corner(${JSON.stringify(frame)})`)
      const place = { x: Math.round(corner.x + x), y: Math.round(corner.y + y) }
      await pointAt(place)
      // A pointer has to be in the vault's frame for a second before it presses there.
      await expect
        .poll(
          () => within<boolean>("document.querySelector('[data-hold=early]') !== null").catch(() => true),
          {
            ...patient,
            message: `the frame takes a press on “${words}”`,
          },
        )
        .toBe(false)
      await pressAt(place)
    },
    textInFrame: (address: string, selector: string) =>
      expect.poll(
        () => tab.evaluateInFrame<string | null>(address, `${helpers}.textOf(${JSON.stringify(selector)})`),
        { ...patient, message: selector },
      ),
    /** What has the focus, once it is that kind of thing. */
    focused: () => tab.evaluate<{ kind: string; words: string } | null>(`${helpers}.focused()`),
    /** Waits until a frame shows something of that kind. */
    async seeInFrame(address: string, kind: string) {
      const within = (expression: string) => tab.evaluateInFrame<Point | null>(address, expression)
      await find(kind, '', false, (expression) => within(expression).catch(() => null))
    },
    text: (selector: string) =>
      expect.poll(() => tab.evaluate<string | null>(`${helpers}.textOf(${JSON.stringify(selector)})`), {
        ...patient,
        message: selector,
      }),
    /** All that the open dialog says. */
    dialog: () =>
      expect.poll(() => tab.evaluate<string>(`${helpers}.words()`), { ...patient, message: 'dialog' }),
    tab,
  }
}
export type Person = ReturnType<typeof personAt>

/** The same person in a window that their page has opened, once it is there. */
export async function windowOf({ tab }: Person, address: string): Promise<Person> {
  let opened: Tab | undefined
  await expect
    .poll(
      async () => {
        opened = await tab.window(address).catch(() => undefined)
        return opened !== undefined
      },
      { ...patient, message: `a window of ${address}` },
    )
    .toBe(true)
  return personAt(opened as unknown as Tab)
}
