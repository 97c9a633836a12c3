import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import type { Clock } from '../../src/lib/clock.ts'
import type { Page } from '../../src/lib/page.ts'
import { pageWithWindows } from './oauth.ts'
import { testPage } from './page.ts'

/** What Telegram's page says of somebody. Nobody checks the hash here. */
export const telegramResult = {
  id: 42,
  first_name: 'Ann',
  last_name: 'Lee',
  username: 'annlee',
  auth_date: 1_767_225_600,
  hash: 'a'.repeat(64),
}
export const telegramAccount = {
  type: 'telegram',
  telegram_user_id: '42',
  first_name: 'Ann',
  last_name: 'Lee',
  username: 'annlee',
  photo_url: null,
  verified_at: 1_700_000_000,
}
export const telegramConfig = {
  telegram_auth: true,
  telegram_auth_config: {
    bot_id: '7000000001',
    bot_name: 'test_bot',
    link_enabled: true,
    seamless_auth_enabled: true,
    client_origins: ['https://telegram.example'],
  },
}

/** What becomes of the script: it loads, it fails to, the page's policy refuses it, nothing ever comes, or nothing is in it. */
export type ScriptFate = 'loads' | 'fails' | 'refused' | 'silent' | 'empty'

/** A page on which Telegram's script can be loaded, and Telegram's windows, which a test answers. */
export function telegramPage({ fate = 'loads', ...over }: Partial<Page> & { fate?: ScriptFate } = {}) {
  const scripts: { src: string; attributes: Record<string, string> }[] = []
  const asked: { options: Record<string, unknown>; answer(result: unknown): void }[] = []
  const windows: { name: string; closed: boolean; close(): void }[] = []
  const control = { fate }
  let violated: ((event: SecurityPolicyViolationEvent) => void) | undefined
  const window: Record<string, unknown> = { addEventListener() {}, removeEventListener() {} }

  function createElement() {
    const listeners: Record<string, () => void> = {}
    const script = {
      src: '',
      attributes: {} as Record<string, string>,
      setAttribute(name: string, value: string) {
        script.attributes[name] = value
      },
      addEventListener(name: string, listener: () => void) {
        listeners[name] = listener
      },
      remove() {},
      finish() {
        scripts.push(script)
        if (control.fate === 'loads')
          window.Telegram = {
            Login: {
              auth: (options: Record<string, unknown>, answer: (result: unknown) => void) =>
                void asked.push({ options, answer }),
            },
          }
        if (control.fate === 'refused')
          violated?.({ blockedURI: script.src, disposition: 'enforce' } as SecurityPolicyViolationEvent)
        if (control.fate !== 'silent')
          listeners[control.fate === 'fails' || control.fate === 'refused' ? 'error' : 'load']?.()
      },
    }
    return script
  }
  window.document = {
    createElement,
    addEventListener(name: string, listener: typeof violated) {
      if (name === 'securitypolicyviolation') violated = listener
    },
    head: {
      append: (script: ReturnType<typeof createElement>) => queueMicrotask(() => script.finish()),
    },
  }
  const page = testPage({
    window: window as unknown as Window,
    openWindow() {
      const opened = {
        name: '',
        closed: false,
        close() {
          opened.closed = true
        },
      }
      windows.push(opened)
      return opened as unknown as Window
    },
    ...over,
  })
  return { page, window, scripts, asked, windows, control }
}

const script = readFileSync(
  new URL('../../demo/backend/login/telegram/telegram-login.js', import.meta.url),
  'utf8',
)
/** Where Telegram's window speaks from. */
export const telegramOrigin = 'https://oauth.telegram.org'

/** A page with windows on which Telegram's script runs: it alone watches over them, and hears what they say. */
export function telegramWindows({ clock, ...given }: { clock: Clock; blocked?: () => boolean }) {
  const windows = pageWithWindows(given)
  const { page, opened } = windows
  const target = page.window
  const wait = (work: () => void, ms: number, again: boolean) => {
    const over = new AbortController()
    const turn = (): Promise<void> =>
      clock.sleep(ms, over.signal).then(() => {
        work()
        return again ? turn() : undefined
      })
    turn().catch(() => {})
    return over
  }
  const self: Record<string, unknown> = {
    URL,
    URLSearchParams,
    screenX: 0,
    screenY: 0,
    outerWidth: 1_000,
    outerHeight: 800,
    location: { origin: page.origin, pathname: '/', assign: page.leave },
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
    setTimeout: (work: (given: unknown) => void, ms: number, argument: unknown) =>
      wait(() => work(argument), ms, false),
    setInterval: (work: () => void, ms: number) => wait(work, ms, true),
    clearInterval: (over: AbortController) => over.abort(),
    // The window that the click has opened; without another click there is no other.
    open(url: string, name: string) {
      const window = opened.find((each) => each.name === name && !each.closed)
      window?.location.replace(url)
      return window ?? null
    },
  }
  self.self = self.window = self.top = self
  runInContext(script, createContext(self))
  Object.assign(target, { Telegram: self.Telegram })
  return windows
}
