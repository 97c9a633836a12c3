/** The popups that the vault's window opens for providers, and what comes back from them. */
import { vaultLimits } from '../../limits.ts'
import { readVisitMessage, returnPath, type VisitMessage, visitChannel } from './channel.ts'

/** The address of a provider, and the name of the visit there. */
export interface VisitPlace {
  readonly state: string
  readonly url: string
}
/** A provider's answer, or that its popup looks closed: one that a provider has cut off from its opener looks so, too. */
export type VisitNews = { readonly state: string } & (
  | { readonly is: 'returned'; readonly fields: Readonly<Record<string, string>> }
  | { readonly is: 'closed' }
)

const open = new Map<string, { readonly url: string; popup: Window; watch: ReturnType<typeof setInterval> }>()
let channel: BroadcastChannel | undefined
let tell: (news: VisitNews) => void = () => {}

/** Hands on what comes back from popups, for as long as this page lives. */
export function onVisitNews(listener: (news: VisitNews) => void): void {
  tell = listener
}

/** Opens a provider in a popup; to be called within a press. Gives whether the browser allowed it. */
export function openVisit({ state, url }: VisitPlace): boolean {
  listen()
  const before = open.get(state)
  const features = 'popup,width=480,height=640'
  const popup = window.open(`${returnPath}#${new URLSearchParams({ visit: state })}`, '_blank', features)
  if (!popup) return false
  if (before) {
    clearInterval(before.watch)
    before.popup.close()
  }
  const watch = setInterval(() => {
    // A provider's opener policy makes its popup look closed. A user who is there has not come back here.
    if (!popup.closed || !document.hasFocus()) return
    clearInterval(watch)
    tell({ is: 'closed', state })
  }, vaultLimits.windowCheck)
  open.set(state, { url, popup, watch })
  return true
}

function listen(): void {
  if (channel) return
  channel = new BroadcastChannel(visitChannel)
  const send = (message: VisitMessage) => channel?.postMessage(message)
  channel.onmessage = ({ data }) => {
    const message = readVisitMessage(data)
    const visit = message && open.get(message.state)
    if (!visit) return
    const { state } = message
    if (message.type === 'hello') send({ type: 'go', state, url: visit.url })
    if (message.type !== 'returned') return
    open.delete(state)
    clearInterval(visit.watch)
    send({ type: 'received', state })
    tell({ is: 'returned', state, fields: message.fields })
    visit.popup.close()
  }
}
