import type { Config } from '../../app/config.ts'

/**
 * Where the host has a login of its own, the kit follows it: at the start, and whenever the host's settings for it change.
 * @returns what is to be called then
 */
export function createHostFollower(config: () => Config | undefined, sync: () => void): () => void {
  let followed: string | undefined
  return () => {
    const { enabled = false, isLoading = false } = config()?.host.customAuth ?? {}
    const setting = `${enabled} ${isLoading}`
    if (setting === followed) return
    followed = setting
    if (enabled && !isLoading) sync()
  }
}
