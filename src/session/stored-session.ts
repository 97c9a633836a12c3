import { sessionKey } from './keys.ts'

/** Whether an earlier page left a session, checked without loading what a session needs. */
export const hasStoredSession = (appId: string, storage: { get(key: string): string | undefined }): boolean =>
  storage.get(sessionKey(appId, 'token')) !== undefined ||
  storage.get(sessionKey(appId, 'refresh')) !== undefined
