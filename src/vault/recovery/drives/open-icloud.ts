import type { VaultContext } from '../../context.ts'
import { fetchIcloudContainer } from '../../server/recovery.ts'
import type { Token } from '../../token.ts'
import type { Drive } from './file.ts'
import { icloud } from './icloud.ts'

/** The latest one of each vault, with the token that it was opened with. */
const latest = new WeakMap<VaultContext, { accessToken: string; drive: Drive }>()

/**
 * The person's iCloud. Its token serves one round trip, and only the drive that made it knows the next one: what needs the
 * same token once more, such as a recovery after an enrolment or a second try, goes on with that drive.
 */
export async function openIcloud(cx: VaultContext, token: Token, accessToken: string): Promise<Drive> {
  const known = latest.get(cx)
  if (known?.accessToken === accessToken) return known.drive
  const drive = icloud(cx, await fetchIcloudContainer(cx, token), accessToken)
  latest.set(cx, { accessToken, drive })
  return drive
}
