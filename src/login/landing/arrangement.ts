import { landingLimits } from './limits.ts'

/** The row of the landing screen that leads to the other social logins. */
export const otherSocials = 'more'

/** Login methods on two pages: those on the landing screen, and those behind it. */
export interface Arrangement {
  readonly main: readonly string[]
  readonly more: readonly string[]
  /** The title of the second page, and whether a row or a link leads to it. */
  readonly moreAs: 'options' | 'socials'
}

/**
 * The host's order: at most 4 primary methods, or 5 if there are exactly 5 and no overflow; the rest goes
 * behind 'More options'. The method used last comes first, wherever it was.
 */
export function ordered(
  primary: readonly string[],
  overflow: readonly string[],
  recent: string | undefined,
): Arrangement {
  const all = [...new Set([...primary, ...overflow])]
  const known = all.filter((method) => method === recent)
  const main = [...new Set([...known, ...primary])]
  const rest = all.filter((method) => !main.includes(method))

  const exact = rest.length === 0 && main.length === landingLimits.primaryMethodsExact
  const room = exact ? landingLimits.primaryMethodsExact : landingLimits.primaryMethods
  return { main: main.slice(0, room), more: [...main.slice(room), ...rest], moreAs: 'options' }
}

/**
 * Groups, if the host gives no order: at most 5 rows in all, with e-mail, phone and social logins, 'Other
 * socials' for the rest, and the wallets' row.
 * @param wallets the rows of the wallets
 */
export function grouped(
  methods: readonly string[],
  wallets: readonly string[],
  walletsFirst: boolean,
  recent: string | undefined,
): Arrangement {
  const others = methods.filter((method) => method !== 'wallet')
  const known = others.filter((method) => method === recent)
  const web2 = [...known, ...others.filter((method) => method !== recent)]
  const room = landingLimits.groupedRows - wallets.length
  const all = web2.length <= room
  const shown = all ? web2 : [...web2.slice(0, room - 1), otherSocials]
  const main = walletsFirst ? [...wallets, ...shown] : [...shown, ...wallets]
  return {
    main: [...new Set([...main.filter((method) => method === recent), ...main])],
    more: all ? [] : web2.slice(room - 1),
    moreAs: 'socials',
  }
}
