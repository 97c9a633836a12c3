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

/** What becomes of the script: it loads, it is refused by the page's policy, or nothing ever comes. */
export type ScriptFate = 'loads' | 'fails' | 'silent' | 'empty'

/** A page on which Telegram's script can be loaded, and Telegram's windows, which a test answers. */
export function telegramPage({ fate = 'loads', ...over }: Partial<Page> & { fate?: ScriptFate } = {}) {
  const scripts: { src: string; attributes: Record<string, string> }[] = []
  const asked: { options: Record<string, unknown>; answer(result: unknown): void }[] = []
  const windows: { name: string; closed: boolean; close(): void }[] = []
  const control = { fate }
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
      settle() {
        scripts.push(script)
        if (control.fate === 'loads')
          window.Telegram = {
            Login: {
              auth: (options: Record<string, unknown>, answer: (result: unknown) => void) =>
                void asked.push({ options, answer }),
            },
          }
        if (control.fate !== 'silent') listeners[control.fate === 'fails' ? 'error' : 'load']?.()
      },
    }
    return script
  }
  window.document = {
    createElement,
    head: {
      append: (script: ReturnType<typeof createElement>) => queueMicrotask(() => script.settle()),
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
