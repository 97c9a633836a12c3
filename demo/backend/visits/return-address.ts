import type { Visit } from './visits.ts'

/** The page of the vault to which every provider sends users back, the same for all apps. */
export const VISIT_RETURN_PATH = '/embedded-wallets/return'

/** The page with an answer in its fragment, which no server is sent and no referrer has. */
export const returnAddress = (
  { vaultOrigin }: Pick<Visit, 'vaultOrigin'>,
  answer: Readonly<Record<string, string>>,
): string => `${vaultOrigin}${VISIT_RETURN_PATH}#${new URLSearchParams(answer)}`
