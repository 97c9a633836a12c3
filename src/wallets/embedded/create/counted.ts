import type { AnalyticsEvent } from '../../../protocol/analytics.ts'

/**
 * Tells the app's analytics how the creation of a wallet begins and ends, whoever creates it. A user who turns back counts as a failure,
 * so that each beginning has its end.
 */
export async function counted<T>(
  track: (event: AnalyticsEvent) => void,
  create: () => Promise<T>,
): Promise<T> {
  track('embedded_wallet_creation_started')
  try {
    const made = await create()
    track(made === 'back' ? 'embedded_wallet_creation_failed' : 'embedded_wallet_creation_completed')
    return made
  } catch (cause) {
    track('embedded_wallet_creation_failed')
    throw cause
  }
}
