/** The entry of the popup's page: it goes on to the provider, and brings the provider's answer to the vault's window. */
import { vaultLimits } from '../../limits.ts'
import { readVisitMessage, type VisitMessage, visitChannel } from './channel.ts'

const STORED = 'latchkey-visit'
const texts = {
  wait: 'One moment …',
  received: 'You can close this window and go back to your wallet.',
  over: 'This sign-in is over. Close this window, go back to your wallet and try again.',
} as const

const show = (text: string) => {
  document.body.textContent = text
}

/** Query and fragment together; both leave the address bar at once. */
function takeFields(): Record<string, string> {
  const { search, hash, pathname } = location
  history.replaceState(null, '', pathname)
  return Object.fromEntries([...new URLSearchParams(search), ...new URLSearchParams(hash.slice(1))])
}

/** The visit for which this very popup was opened. What another page has opened here belongs to none. */
function storedState(): string | null {
  try {
    return sessionStorage.getItem(STORED)
  } catch {
    return null
  }
}
function store(state: string): void {
  try {
    sessionStorage.setItem(STORED, state)
  } catch {
    // Without storage, an answer that names its visit still finds it.
  }
}

function begin(): void {
  const fields = takeFields()
  // The provider's page gets no handle on the vault's window.
  window.opener = null
  const channel = new BroadcastChannel(visitChannel)
  const send = (message: VisitMessage) => channel.postMessage(message)
  const late = setTimeout(() => show(texts.over), vaultLimits.visitReply)

  const { visit, ...answer } = fields
  if (visit) {
    store(visit)
    channel.onmessage = ({ data }) => {
      const message = readVisitMessage(data)
      if (message?.state !== visit || message.type !== 'go') return
      clearTimeout(late)
      channel.close()
      location.replace(message.url)
    }
    send({ type: 'hello', state: visit })
    return
  }
  const stored = storedState()
  const state = stored ?? answer.state
  if (!state || (answer.state !== undefined && answer.state !== state)) {
    show(texts.over)
    return
  }
  channel.onmessage = ({ data }) => {
    const message = readVisitMessage(data)
    if (message?.state !== state || message.type !== 'received') return
    clearTimeout(late)
    show(texts.received)
    window.close()
  }
  send({ type: 'returned', state, fields: answer })
}

if (window.top === window) {
  show(texts.wait)
  begin()
}
