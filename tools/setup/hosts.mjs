/** Installs and builds the apps of `test/hosts` for `npm test`, where their lock files, their own files or the package changed. */
import { tsImport } from 'tsx/esm/api'

export async function ensureHosts() {
  const { prepareApps } = await tsImport('../../test/hosts/prepared.ts', import.meta.url)
  await prepareApps()
}
