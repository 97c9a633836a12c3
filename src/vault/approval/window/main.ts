/** The entry of the window in which a user approves what must not be approved in a frame. It draws, and does nothing else. */
import { addWords, createTranslate } from '../../../copy/copy.ts'
import { approval } from '../../../copy/en/approval.ts'
import { approvalWindow } from '../../../copy/en/approval-window.ts'
import type { Screen } from '../../../dialog/screen.ts'
import type { Scene } from '../../../dialog/stage.ts'
import { createStore } from '../../../lib/store.ts'
import type { ApprovalLook } from '../../../protocol/frame/approval.ts'
import { readSettings } from '../../entry/settings.ts'
import { vaultLimits } from '../../limits.ts'
import { onVisitNews } from '../providers/popup.ts'
import { drawSurface } from '../surface.tsx'
import { windowTitle } from './about.ts'
import {
  endOf,
  type FromWindow,
  type Over,
  type SentScene,
  type ToWindow,
  type WindowHello,
} from './messages.ts'
import { screens } from './screens.ts'
import { type WindowEndedProps, windowEnded } from './window-ended.tsx'
import { wipeLeftovers } from './wipe-at-end.ts'

addWords(approval, approvalWindow)

/** The nonce is good once: a page that is reloaded, or that somebody else opens, has none. */
const nonce = takeNonce()
const opener = window.opener as Window | null
const t = createTranslate()
const appName = readSettings(document.getElementById('settings')?.textContent)?.appName ?? ''
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
  if (over) return
  over = true
  const title = t(`approval.ended.${why}.title`)
  document.title = appName ? t('approval.window.name', { title, app: appName }) : title
  scene.set({
    screen: windowEnded as unknown as Screen<object, unknown>,
    props: { why },
    busy: undefined,
    answer: () => window.close(),
    step: -1,
  })
}

/** Ends that a user knows of already: the page shows what has become of the request, or they have cancelled it there. */
const closes: ReadonlySet<Over> = new Set(['done', 'over', 'moved'])

function begin(from: Window): void {
  const { port1, port2 } = new MessageChannel()
  const send = (message: FromWindow) => port1.postMessage(message)
  let latest: SentScene | undefined
  let settled = false
  let unanswered = 0
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
        const pressed: SentScene = { ...sent, busy: answer }
        latest = pressed
        performing = new AbortController()
        // A browser allows it within the press alone, so it begins before anything is drawn.
        const performed = screen.perform?.(answer, props, performing.signal)
        scene.set({ screen, props, step, busy: answer, answer: () => {} })
        const reply = (given: unknown) => {
          if (latest === pressed && !over) send({ type: 'answer', step, answer: given as never })
        }
        if (performed) void performed.then(reply)
        else reply(answer)
      },
    })
  }
  function leave(why: Over, mayClose: boolean): void {
    if (over) return
    clearInterval(watch)
    end(endOf(settled, why))
    const wiping = wipeLeftovers()
    if (!mayClose) return
    if (wiping) void wiping.then((isWiped) => isWiped && window.close())
    else window.close()
  }
  port1.onmessage = ({ data }: MessageEvent<ToWindow>) => {
    unanswered = 0
    switch (data.type) {
      case 'look':
        return look.set({ ...data.look, drawer: false, closable: false })
      case 'about':
        document.title = windowTitle(t, data.about)
        return
      case 'scene':
        return void draw(data.scene).catch(() => leave('over', false))
      case 'settled':
        settled = true
        return
      case 'over':
        return leave(data.why, closes.has(data.why))
    }
  }
  window.addEventListener('pagehide', () => send({ type: 'gone' }))
  onVisitNews((news) => send({ type: 'visit', news }))
  // A frame that is gone or hangs sends nothing more.
  const watch = setInterval(() => {
    if (from.closed || unanswered >= vaultLimits.windowUnanswered) return leave('left', false)
    unanswered++
    send({ type: 'ping' })
  }, vaultLimits.windowCheck)
  from.postMessage({ nonce } satisfies WindowHello, location.origin, [port2])
}

/** A window that was reloaded has no nonce any more; its page offers another one. */
const wasReloaded = () =>
  performance.getEntriesByType('navigation').some((each) => 'type' in each && each.type === 'reload')

if (window.top === window) {
  if (appName) document.title = appName
  drawSurface(window, { scene, look, t, place: 'window', guarded: true })
  if (opener && nonce) begin(opener)
  else end(opener && wasReloaded() ? 'reloaded' : 'alone')
}
