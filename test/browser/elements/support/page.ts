import type { LoginModal } from '../../../../elements/login-modal.ts'
import type { WalletSign } from '../../../../elements/wallet-sign.ts'
import '../../../../elements/index.ts'
import { limit } from '../../../support/limit.ts'
import { type FakeKit, fakeKit } from './fake-kit.ts'

/** Two frames later: an element has done by then all that it does by itself. */
export const drawn = () =>
  new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))

/** Waits for something to be so. */
export async function until<T>(check: () => T): Promise<NonNullable<T>> {
  const end = performance.now() + limit(20_000)
  for (;;) {
    const found = check()
    if (found) return found as NonNullable<T>
    if (performance.now() > end) throw new Error(`Waited in vain: ${check}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Puts an element with a fake kit on the page. */
export function place(
  kit: FakeKit = fakeKit(),
  into: Node = document.body,
): { element: LoginModal; kit: FakeKit } {
  const element = document.createElement('login-modal')
  element.kit = kit
  into.appendChild(element)
  return { element, kit }
}
export function placeSign(kit: FakeKit = fakeKit()): { element: WalletSign; kit: FakeKit } {
  const element = document.createElement('wallet-sign')
  element.kit = kit
  document.body.append(element)
  return { element, kit }
}

export const within = <E extends HTMLElement = HTMLElement>(host: Element, selector: string) =>
  host.shadowRoot?.querySelector<E>(selector) ?? null
/** Presses a control as soon as it is there. */
export async function pressOn(host: Element, selector: string): Promise<void> {
  const control = await until(() => within(host, selector))
  control.click()
}
export const dialogOf = (host: Element) => within<HTMLDialogElement>(host, 'dialog')
export const headingOf = (host: Element) =>
  within(host, '[data-layer]:not([inert]) [data-heading]')?.textContent ?? undefined

/** Opens it by its method and waits for the dialog; the promise is given, caught. */
export async function opened(element: LoginModal) {
  const login = element.login().catch((error: { code: string }) => error)
  await until(() => element.open)
  return login instanceof Promise ? { login } : { login }
}

/** Names of the events that come by, in order. */
export function record(target: EventTarget, ...names: string[]): { name: string; event: CustomEvent }[] {
  const seen: { name: string; event: CustomEvent }[] = []
  for (const name of names)
    target.addEventListener(name, (event) => seen.push({ name, event: event as CustomEvent }))
  return seen
}

/** What has the focus, through all roots. */
export function focused(): Element | null {
  let element = document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  return element
}

/** Takes all elements off the page and waits until they have let go. */
export async function clear(): Promise<void> {
  document.body.replaceChildren()
  await drawn()
}

/** Waits until the screen of an element takes presses: for a moment it ignores those that were meant for what was there before. */
export const takesPresses = (element: Element): Promise<unknown> =>
  until(() => !within(element, '[data-arriving]'))
