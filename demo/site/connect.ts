/**
 * An app's page that other apps send its users to: who asks, for what, and the user's answer. It is a host
 * page like any other, but it reads the name of the app that asks from the API itself
 * (docs/protocol.md, "Apps").
 */
import { api, byId, end, login, query, say, setBusy, showRequester, showUser } from './answer-app.ts'

const asked = (name: string) => query.get(name) ?? ''
const requester = asked('client_id')
/** The only place to which an answer may go; the address bar can't change it. */
const returnTo = `${api}/api/v1/oauth/callback`

function show(): void {
  byId('actions').hidden = false
  byId('allow').hidden = !login.user
  showUser()
}

async function allow(): Promise<void> {
  setBusy(true)
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
  setBusy(false)
}

function deny(): void {
  setBusy(true)
  location.assign(`${returnTo}?${new URLSearchParams({ error: 'access_denied', state: asked('state') })}`)
}

byId('allow').addEventListener('click', () => void allow())
byId('deny').addEventListener('click', deny)
byId('log-in').addEventListener('click', () => login.login().then(show, () => {}))
byId('switch').addEventListener('click', () => void login.logout())
for (const type of ['lk-ready', 'lk-user'])
  login.addEventListener(type, () => byId('asking').hidden || show())

if (asked('redirect_uri') !== returnTo || !asked('state') || !requester)
  end('This page is opened by an app that wants to log you in. There is nothing to do here by itself.')
else if (await showRequester(requester)) {
  // A user whom this browser remembers has nothing to log in to.
  await login.load()
  await login.kit?.whenReady().catch(() => {})
  byId('asking').hidden = false
  say('')
  show()
}
