/** Shared by an app's pages on which its users answer other apps (connect.ts, transact.ts). */
import type { LoginModal } from '../../src/index.ts'

export const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T
export const login = document.querySelector('login-modal') as LoginModal
export const api = login.getAttribute('api-url') ?? ''
// Latchkey's script loads its elements after this page's own script may have begun.
if (!login.matches(':defined')) await customElements.whenDefined('login-modal')
export const query = new URLSearchParams(location.search)

export function say(text: string): void {
  byId('status').textContent = text
  byId('status').hidden = text === ''
}

/** Hides everything else: nothing can be answered here. */
export function end(text: string): void {
  for (const id of ['asking', 'who', 'actions', 'never']) {
    const part = document.getElementById(id)
    if (part) part.hidden = true
  }
  say(text)
}

export function setBusy(isBusy: boolean): void {
  for (const button of document.querySelectorAll('button')) button.disabled = isBusy
}

export function showUser(): void {
  const { user } = login
  byId('who').hidden = !user
  byId('log-in').hidden = Boolean(user)
  byId('email').textContent = user?.email?.address ?? user?.id ?? ''
}

export function showName(name: string): void {
  byId('requester').textContent = name
  byId('requester-mark').textContent = name.slice(0, 1)
}

/** Name of an app at the API, whatever the address bar says; `undefined` where there is no such app. */
async function nameOf(id: string): Promise<string | undefined> {
  const response = await fetch(`${api}/api/v1/apps/${encodeURIComponent(id)}/cross-app/details`, {
    headers: { accept: 'application/json', 'privy-app-id': login.getAttribute('app-id') ?? '' },
  })
  return response.ok ? ((await response.json()) as { name: string }).name : undefined
}

/** Shows the app that asks, by its name. @returns whether it is known here; if not, the page has ended */
export async function showRequester(id: string): Promise<boolean> {
  const name = await nameOf(id).catch(() => undefined)
  if (name === undefined) end('The app that asks is not known here.')
  else showName(name)
  return name !== undefined
}
