/**
 * An app's page that other apps send its users to: who asks, for what, and the person's answer. It is a host
 * page like any other, but it reads the name of the app that asks from the API itself
 * (docs/protocol.md, "Apps").
 */
import type { LoginModal } from '../../src/index.ts'

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T
const login = document.querySelector('login-modal') as LoginModal
const api = login.getAttribute('api-url') ?? ''
const appId = login.getAttribute('app-id') ?? ''
const query = new URLSearchParams(location.search)
const asked = (name: string) => query.get(name) ?? ''
const requester = asked('client_id')
/** The only place to which an answer may go; the address bar can't change it. */
const returnTo = `${api}/api/v1/oauth/callback`

const headers = { accept: 'application/json', 'content-type': 'application/json', 'privy-app-id': appId }

function say(text: string): void {
  byId('status').textContent = text
  byId('status').hidden = text === ''
}

/** Nothing can be answered here. */
function end(text: string): void {
  for (const id of ['asking', 'who', 'actions']) byId(id).hidden = true
  say(text)
}

function show(): void {
  const { user } = login
  byId('actions').hidden = false
  byId('allow').hidden = byId('who').hidden = !user
  byId('log-in').hidden = Boolean(user)
  byId('email').textContent = user?.email?.address ?? user?.id ?? ''
}

function busy(isBusy: boolean): void {
  for (const button of document.querySelectorAll('button')) button.disabled = isBusy
}

async function allow(): Promise<void> {
  busy(true)
  say('')
  try {
    const url = await login.kit?.crossApp.grant({
      appId: requester,
      redirectTo: asked('redirect_uri'),
      state: asked('state'),
      challenge: asked('code_challenge'),
    })
    if (url?.startsWith(`${returnTo}?`)) return location.assign(url)
    say('That didn’t work. Please try again.')
  } catch (cause) {
    const { code } = cause as { code?: string }
    if (code === 'oauth_state_mismatch')
      return end('This request is no longer open. Close this page and start again.')
    // The user has turned back in the window of the wallet, and can decide again.
    if (code !== 'exited_update_flow') say('That didn’t work. Please try again.')
  }
  busy(false)
}

function deny(): void {
  busy(true)
  location.assign(`${returnTo}?${new URLSearchParams({ error: 'access_denied', state: asked('state') })}`)
}

/** Who asks, by the app's name at the API and not by what the address bar says. */
async function nameOf(id: string): Promise<string | undefined> {
  const details = `${api}/api/v1/apps/${encodeURIComponent(id)}/cross-app/details`
  const answer = await fetch(details, { headers })
  return answer.ok ? ((await answer.json()) as { name: string }).name : undefined
}

byId('allow').addEventListener('click', () => void allow())
byId('deny').addEventListener('click', deny)
byId('log-in').addEventListener('click', () => login.login().then(show, () => {}))
byId('switch').addEventListener('click', () => void login.logout())
for (const type of ['lk-ready', 'lk-user'])
  login.addEventListener(type, () => byId('asking').hidden || show())

if (asked('redirect_uri') !== returnTo || !asked('state') || !requester)
  end('This page is opened by an app that wants to log you in. There is nothing to do here by itself.')
else {
  const name = await nameOf(requester).catch(() => undefined)
  if (name === undefined) end('The app that asks is not known here.')
  else {
    byId('requester').textContent = name
    byId('requester-mark').textContent = name.slice(0, 1)
    byId('asking').hidden = false
    say('')
    show()
  }
}
