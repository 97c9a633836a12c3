import type { Storage } from '../../lib/storage.ts'
import { sessionKey } from '../../session/keys.ts'
import { loginLimits } from '../limits.ts'

interface Places {
  readonly appId: string
  readonly tabStorage: Storage
}

/** The code that was sent last. It outlives the page, since the person may look for it elsewhere and come back. */
export function sentCode({ appId, tabStorage }: Places, method: 'email' | 'sms') {
  const key = sessionKey(appId, `${method}-code`)
  return {
    get(): SentCode | undefined {
      try {
        const { to, disableSignup, at }: Partial<SentCode> = JSON.parse(tabStorage.get(key) ?? '{}')
        if (typeof to !== 'string' || typeof at !== 'number') return undefined
        return { to, at, disableSignup: disableSignup === true }
      } catch {
        // Not written by us.
        return undefined
      }
    },
    set: (code: SentCode) => tabStorage.set(key, JSON.stringify(code)),
    clear: () => tabStorage.remove(key),
  }
}
export interface SentCode {
  readonly to: string
  readonly disableSignup: boolean
  /** Unix milliseconds. */
  readonly at: number
}

/**
 * The address or number that waits for a code in this tab, for as long as codes are good, so that a reload at the screen of the code
 * doesn't forget it.
 */
export function awaitingCode(
  places: Places,
  now: number,
): { readonly type: 'email' | 'phone'; readonly value: string } | undefined {
  const sent = (['email', 'sms'] as const).flatMap((via) => {
    const code = sentCode(places, via).get()
    const isGood = code && now >= code.at && now < code.at + loginLimits.codeLife
    return isGood ? [{ type: via === 'sms' ? ('phone' as const) : via, value: code.to, at: code.at }] : []
  })
  const [last] = sent.sort((one, other) => other.at - one.at)
  return last && { type: last.type, value: last.value }
}
