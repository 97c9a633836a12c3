import type { HostConfig, LoginModal } from '../../src/index.ts'

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T
/** Who is in at the demo's own login, which is no more than a name. */
const ownName = 'demo:own-login'

/** Guests, mini apps, and the login that a host may have of its own. @param failed told what came of a call that failed */
export function moreWays(login: LoginModal, failed: (what: string, cause: unknown) => void): HostConfig {
  const { world = '' } = byId('more-ways').dataset
  const appId = login.getAttribute('app-id') ?? ''

  byId('guest').addEventListener('click', async () => {
    try {
      // Somebody may be faster than the element's code.
      if (!login.matches(':defined')) await customElements.whenDefined('login-modal')
      await login.load()
      await login.kit?.guest.create()
    } catch (cause) {
      failed('guest.create()', cause)
    }
  })
  const here = new URLSearchParams({ page: location.href.replace(/#.*/, '') })
  byId<HTMLAnchorElement>('mini-app').href = `${world}/telegram/client?${here}`

  if (!appId.includes('custom')) return {}
  async function getCustomAccessToken(): Promise<string | undefined> {
    const name = localStorage.getItem(ownName)
    if (!name) return undefined
    const answer = await fetch(`${world}/issuer/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    })
    return ((await answer.json()) as { token?: string }).token
  }
  const tell = () =>
    login.kit?.customAuth.sync().catch((cause: unknown) => failed('customAuth.sync()', cause))
  byId('own-login').hidden = false
  byId<HTMLFormElement>('own-login').addEventListener('submit', (event) => {
    event.preventDefault()
    localStorage.setItem(ownName, byId<HTMLInputElement>('own-name').value)
    void tell()
  })
  byId('own-out').addEventListener('click', () => {
    localStorage.removeItem(ownName)
    void tell()
  })
  return { customAuth: { enabled: true, getCustomAccessToken } }
}
