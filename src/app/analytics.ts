import type { Clock } from '../lib/clock.ts'
import type { Storage } from '../lib/storage.ts'
import { type AnalyticsEvent, type AnalyticsPayload, sendEvent } from '../protocol/analytics.ts'
import type { Http } from '../protocol/http.ts'
import { sessionKey } from '../session/keys.ts'
import { appLimits } from './limits.ts'

/**
 * Posts events to the app's own server. Events carry the event's name and a few words of the program, never
 * data about a person.
 */
export interface Analytics {
  /**
   * The client's analytics id, created on first use and forgotten at logout; empty when analytics are off.
   */
  id(): string
  track(name: AnalyticsEvent, payload?: AnalyticsPayload): void
  /** Sends `sdk_initialize` once for each configuration of the app. */
  initialized(config: object): void
}

export function createAnalytics(cx: {
  appId: string
  on: boolean
  storage: Storage
  clock: Clock
  http: () => Http
}): Analytics {
  const idKey = sessionKey(cx.appId, 'client-id')
  const sentKey = sessionKey(cx.appId, 'initialized')

  const id = () => {
    if (!cx.on) return ''
    const known = cx.storage.get(idKey)
    if (known) return known
    const made = crypto.randomUUID()
    cx.storage.set(idKey, made)
    return made
  }
  const track: Analytics['track'] = (name, payload) => {
    if (!cx.on) return
    const event = { name, clientId: id(), at: cx.clock.now(), ...(payload && { payload }) }
    void cx.clock.sleep(appLimits.analyticsDelay).then(() => sendEvent(cx.http(), event))
  }
  return {
    id,
    track,
    initialized(config) {
      const hash = hashOf(JSON.stringify(config))
      if (cx.storage.get(sentKey) === hash) return
      track('sdk_initialize')
      cx.storage.set(sentKey, hash)
    },
  }
}

/** Tells two configurations apart; a collision only costs an event. */
function hashOf(text: string): string {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (hash * 31 + text.charCodeAt(at)) | 0
  return hash.toString(36)
}
