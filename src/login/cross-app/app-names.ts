import { crossAppId } from '../../protocol/cross-app.ts'
import type { LoginContext } from '../context.ts'

/** How other apps call themselves, by login method. An app that can't be asked is left out. */
export async function fetchAppNames(cx: Pick<LoginContext, 'auth'>, methods: readonly string[]) {
  const auth = await cx.auth.crossApp()
  const asked = methods.map(async (method) => {
    const details = await auth.details(crossAppId(method) ?? '').catch(() => undefined)
    return details ? [[method, { name: details.name, icon: details.iconUrl }] as const] : []
  })
  return Object.fromEntries((await Promise.all(asked)).flat())
}
