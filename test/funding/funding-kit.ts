/** The kit's embedded wallets in an app whose users fund them, with a server that the test answers for. */
import { createTranslate } from '../../src/copy/copy.ts'
import type { KitContext } from '../../src/kit/context.ts'
import { embeddedKit } from '../support/embedded-kit.ts'
import { fundingSettings } from '../support/funding-settings.ts'
import type { Step } from '../support/person.ts'

export interface FundingKitOptions extends NonNullable<Parameters<typeof embeddedKit>[0]> {
  /** Answers of the app's server. */
  server?: { call(endpoint: { method: string; path: string }, body: unknown): Promise<unknown> } | undefined
}

export function fundingKit({ server, funding = fundingSettings, ...options }: FundingKitOptions = {}) {
  const kit = embeddedKit({ funding, ...options })
  const context = {
    ...kit.hostContext,
    storage: kit.storage,
    services: async () => ({ ...(await kit.hostContext.services()), http: () => server }),
    t: () => createTranslate(),
  } as unknown as KitContext
  return {
    ...kit,
    context,
    /** Has the user follow the script, and resolves with what became of the work. */
    async run<T>(work: Promise<T>, script: readonly Step[]) {
      const outcome = work.then(
        (value) => ({ value, error: undefined }),
        (error: { code: string; shortMessage: string; details?: string }) => ({ value: undefined, error }),
      )
      await kit.person.follow(script)
      return outcome
    },
  }
}
