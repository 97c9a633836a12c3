/** The entry of the window in which a person approves what must not be approved in a frame. It draws, and does nothing else. */
import { addWords, createTranslate } from '../../../copy/copy.ts'
import { approval } from '../../../copy/en/approval.ts'
import { approvalWindow } from '../../../copy/en/approval-window.ts'
import type { Screen } from '../../../dialog/screen.ts'
import type { Scene } from '../../../dialog/stage.ts'
import { createStore } from '../../../lib/store.ts'
import type { ApprovalLook } from '../../../protocol/frame/approval.ts'
import { readSettings } from '../../entry/settings.ts'
import { vaultLimits } from '../../limits.ts'
import { drawSurface } from '../surface.tsx'
import type { FromWindow, SentScene, ToWindow, WindowHello } from './messages.ts'
import { screens } from './screens.ts'
import { type WindowEndedProps, windowEnded } from './window-ended.tsx'
import { wipeLeftovers } from './wipe-at-end.ts'

addWords(approval, approvalWindow)

/** The nonce is good once: a page that is reloaded, or that somebody else opens, has none. */
const nonce = takeNonce()
const opener = window.opener as Window | null
const look = createStore<ApprovalLook>({
  theme: matchMedia('(prefers-color-scheme:dark)').matches ? 'dark' : 'light',
  dir: 'ltr',
  textScale: 1,
  radius: 1,
  drawer: false,
  closable: false,
})
const scene = createStore<Scene | undefined>(undefined)
let over = false

function takeNonce(): string {
  const { hash, pathname, search } = location
  history.replaceState(null, '', pathname + search)
  return hash.slice(1)
}

function end(why: WindowEndedProps['why']): void {
  over = true
  scene.set({
    screen: windowEnded as unknown as Screen<object, unknown>,
    props: { why },
    busy: undefined,
    answer: () => {},
    step: -1,
  })
}

function begin(from: Window): void {
  const { port1, port2 } = new MessageChannel()
  const send = (message: FromWindow) => port1.postMessage(message)
  let latest: SentScene | undefined
  let performing = new AbortController()

  async function draw(sent: SentScene): Promise<void> {
    if (latest?.step !== sent.step) performing.abort()
    latest = sent
    const screen = Object.hasOwn(screens, sent.id) ? await screens[sent.id]?.() : undefined
    // Another one may have come while this one was loading.
    if (!screen || latest !== sent || over) return
    const { props, busy, step } = sent
    scene.set({
      screen,
      props,
      busy,
      step,
      answer(answer) {
        if (latest !== sent || over) return
        latest = { ...sent, busy: answer }
        scene.set({ screen, props, step, busy: answer, answer: () => {} })
        const reply = (given: unknown) => send({ type: 'answer', step, answer: given as never })
        performing = new AbortController()
        const performed = screen.perform?.(answer, props, performing.signal)
        if (performed) void performed.then(reply)
        else reply(answer)
      },
    })
  }
  port1.onmessage = ({ data }: MessageEvent<ToWindow>) => {
    if (data.type === 'look') look.set({ ...data.look, drawer: false, closable: false })
    else if (data.type === 'scene') void draw(data.scene).catch(() => end('over'))
    else {
      end('over')
      if (!wipeLeftovers()) window.close()
    }
  }
  window.addEventListener('pagehide', () => send({ type: 'gone' }))
  // A frame that is gone sends nothing more.
  const watch = setInterval(() => {
    if (!from.closed) return
    clearInterval(watch)
    end('over')
    wipeLeftovers()
  }, vaultLimits.windowCheck)
  from.postMessage({ nonce } satisfies WindowHello, location.origin, [port2])
}

if (window.top === window) {
  const t = createTranslate()
  const appName = readSettings(document.getElementById('settings')?.textContent)?.appName
  if (appName) document.title = t('approval.window.name', { app: appName })
  drawSurface(window, { scene, look, t, place: 'window', guarded: true })
  if (opener && nonce) begin(opener)
  else end('alone')
}
