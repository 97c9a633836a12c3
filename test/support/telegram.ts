import type { Page } from '../../src/lib/page.ts'
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
    ...{ bot_id: '7000000001', bot_name: 'test_bot', link_enabled: true, seamless_auth_enabled: true },
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
