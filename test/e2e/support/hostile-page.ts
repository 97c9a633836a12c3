/** The script of a hostile host page. It is sent to the browser as text, so it uses nothing from outside of itself. */
export interface Hostile {
  /** Every message that came to this page, by window or by port, as text. */
  heard: string[]
  /** Loads a vault nobody sees, and resolves when it is ready. */
  hide(url: string): Promise<void>
  /** Asks that vault. Resolves with its data, or its error. */
  ask(event: string, data: object): Promise<Record<string, unknown>>
  /** Loads an approval frame, and resolves when it has drawn the request, has answered it or has failed. */
  approve(approval: {
    url: string
    purpose: string
    request: object
    token?: string
    look?: object
    css?: string
    into?: string
  }): Promise<void>
  /** The port of the approval, of which the frame has the other end. */
  port: MessagePort | undefined
  frame: HTMLIFrameElement | undefined
  /** Says everything to the frame of the approval that a page can say, by the port and by window, in each form. */
  claim(all: readonly unknown[]): void
  /** Takes the approval away. */
  leave(): void
  look: Record<string, unknown>
}

declare global {
  interface Window {
    hostile: Hostile
  }
}

/** @param waits milliseconds until the vault counts as silent, and as unable to draw or to begin */
export function hostile(waits: { silent: number; drawn: number; ready: number }): void {
  const heard: string[] = []
  const keep = (data: unknown) => {
    try {
      heard.push(typeof data === 'string' ? data : JSON.stringify(data))
    } catch {
      heard.push(String(data))
    }
  }
  let hidden: HTMLIFrameElement | undefined
  const waiting = new Map<string, (answer: Record<string, unknown>) => void>()
  addEventListener('message', ({ data }) => {
    keep(data)
    const answer = typeof data === 'string' ? undefined : data
    if (answer?.id) waiting.get(answer.id)?.(answer.data ?? { error: answer.error })
  })
  const ask = (event: string, data: object) =>
    new Promise<Record<string, unknown>>((resolve) => {
      const id = crypto.randomUUID()
      waiting.set(id, resolve)
      setTimeout(() => resolve({ error: { type: 'silence' } }), waits.silent)
      hidden?.contentWindow?.postMessage({ id, event, data }, '*')
    })
  const look = { theme: 'light', dir: 'ltr', textScale: 1, radius: 1, drawer: false, closable: true }
  const page: Hostile = {
    heard,
    look,
    port: undefined,
    frame: undefined,
    ask,
    async hide(url) {
      hidden = document.createElement('iframe')
      hidden.hidden = true
      hidden.allow = 'clipboard-write'
      hidden.src = url
      document.body.append(hidden)
      await new Promise((resolve) => hidden?.addEventListener('load', resolve))
      for (const end = Date.now() + waits.ready; Date.now() < end; ) {
        const ready = ask('privy:iframe:ready', {})
        const late = new Promise((resolve) => setTimeout(resolve, 200, 'late'))
        if ((await Promise.race([ready, late])) !== 'late') return
      }
      throw new Error('The vault is not ready')
    },
    async approve({ url, purpose, request, token, look: looks = look, css, into = '#place' }) {
      page.leave()
      const frame = document.createElement('iframe')
      frame.style.cssText = css ?? 'position:fixed;left:40px;top:40px;width:360px;height:620px;border:0'
      frame.src = url
      const { port1, port2 } = new MessageChannel()
      page.frame = frame
      page.port = port1
      const drawn = new Promise<void>((resolve) => {
        port1.onmessage = ({ data }) => {
          keep(data)
          if (data.type === 'token') port1.postMessage({ type: 'token', accessToken: token })
          if (['ready', 'turn', 'failed', 'rejected'].includes(data.type)) resolve()
        }
        setTimeout(resolve, waits.drawn)
      })
      document.querySelector(into)?.append(frame)
      await new Promise((resolve) => frame.addEventListener('load', resolve))
      frame.contentWindow?.postMessage('privy:approval:connect', '*', [port2])
      port1.postMessage({ type: 'open', purpose, request, look: looks })
      await drawn
    },
    claim(all) {
      const { frame, port } = page
      for (const one of all) {
        port?.postMessage(one)
        for (const form of [one, JSON.stringify(one)]) frame?.contentWindow?.postMessage(form, '*')
        frame?.contentWindow?.postMessage(one, '*', [new MessageChannel().port2])
      }
    },
    leave() {
      page.frame?.remove()
      page.port?.close()
      page.frame = undefined
      page.port = undefined
    },
  }
  window.hostile = page
}
