import type { Config } from '../../config.ts'
import { limits } from '../../core/limits.ts'

/** Login methods on two pages: those that stand on the landing screen, and those behind it. */
export interface Arrangement {
  readonly main: readonly string[]
  readonly more: readonly string[]
  /** How the second page is called, and whether a row or a link leads to it. */
  readonly moreAs: 'options' | 'socials'
}

interface Asked {
  config: Pick<Config, 'order' | 'methods' | 'walletsFirst'>
  /** The host's wish for this one login. */
  only?: readonly string[] | undefined
  recent: string | undefined
  offered: (method: string) => boolean
}

/** Spec §2 "Landing": the host's order, or groups where it gives none. The method used last comes first. */
export function arrange({ config, only, recent, offered }: Asked): Arrangement {
  const order = only ? { primary: only, overflow: [] } : config.order
  return order
    ? ordered(order.primary.filter(offered), order.overflow.filter(offered), recent)
    : grouped(config.methods.filter(offered), config.walletsFirst, recent)
}

/**
 * At most 4 primary methods, 5 if exactly 5 and no overflow; the rest goes behind 'More options'. The method used last
 * comes first, wherever it stood.
 */
function ordered(
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
  return { main: main.slice(0, room), more: [...main.slice(room), ...rest], moreAs: 'options' }
}

/** At most 5 rows in all: e-mail, phone and social logins with 'Other socials' for the rest, and the wallets' row. */
function grouped(methods: readonly string[], walletsFirst: boolean, recent: string | undefined): Arrangement {
  const wallets = methods.filter((method) => method.endsWith('wallet')).slice(0, 1)
  const others = methods.filter((method) => !method.endsWith('wallet'))
  const first = others.filter((method) => method === recent)
  const web2 = [...first, ...others.filter((method) => method !== recent)]
  const room = limits.groupedRows - wallets.length
  const shown = web2.length > room ? web2.slice(0, room - 1) : web2
  return {
    main: walletsFirst ? [...wallets, ...shown] : [...shown, ...wallets],
    more: web2.slice(shown.length),
    moreAs: 'socials',
  }
}
