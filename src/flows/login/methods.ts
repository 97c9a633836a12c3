import { limits } from '../../core/limits.ts'

/** Login methods on two pages: those that stand on the landing screen, and those behind 'More options'. */
export interface Arrangement {
  readonly main: readonly string[]
  readonly more: readonly string[]
}

/**
 * Spec §2 "Landing", ordered layout: at most 4 primary methods, 5 if exactly 5 and no overflow; the rest goes behind
 * 'More options'. The method used last comes first, wherever it stood.
 */
export function arrangeMethods(
  primary: readonly string[],
  overflow: readonly string[],
  recent: string | undefined,
): Arrangement {
  const all = [...new Set([...primary, ...overflow])]
  const known = recent !== undefined && all.includes(recent) ? [recent] : []
  const isFirst = (method: string) => !known.includes(method)
  const main = [...known, ...primary.filter(isFirst)]
  const rest = all.filter((method) => !main.includes(method))

  const exact = rest.length === 0 && main.length === limits.primaryMethodsExact
  const room = exact ? limits.primaryMethodsExact : limits.primaryMethods
  return { main: main.slice(0, room), more: [...main.slice(room), ...rest] }
}
