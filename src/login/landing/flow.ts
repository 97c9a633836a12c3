import { socials } from '../../app/config.ts'
import { legalOf } from '../../app/legal.ts'
import { addWords, type PlainKey } from '../../copy/copy.ts'
import { login as words } from '../../copy/en/login.ts'
import { KitError } from '../../errors/kit-error.ts'
import type { BackToStart, Choice, EntryContext, PrepareContext, Prepared } from '../context.ts'
import { grouped, ordered, otherSocials } from './arrangement.ts'
import { type LandingMethod, landing } from './landing.tsx'
import { landingLimits } from './limits.ts'

addWords(words)

/** The methods that have a row. Their names are words of the landing screen. */
const named: readonly string[] = ['email', 'sms', 'farcaster', 'telegram', 'wallet', ...socials]

/** The app's own switch for a method; the name of a wallet falls under the one of all wallets. */
const switchOf = (method: string) => (named.includes(method) || method === 'passkey' ? method : 'wallet')

const isOtherApp = (method: string) => method.includes(':')
const hasRow = (method: string) => named.includes(method) || isOtherApp(method)
const isList = (method: string) => method === 'wallet'
const isInput = (method: string) => method === 'email' || method === 'sms'
const labelOf = (method: string) =>
  `login.${isOtherApp(method) ? 'otherApp' : isInput(method) ? `${method}.continue` : method}` as PlainKey

/** What the landing screen leads to. */
export interface LandingActions<T> {
  logIn(choice: Choice): Promise<T | BackToStart>
  /**
   * Prepares the methods on the screen; resolves with a choice that one of them makes by itself, or with those that the
   * page can't have.
   */
  prepare(
    methods: readonly string[],
    screen: Pick<PrepareContext, 'signal' | 'emailField'>,
  ): Promise<Prepared>
  /** Names of other apps; those that can't be asked are missing. */
  appNames(methods: readonly string[]): Promise<Readonly<Record<string, Named>>>
  /**
   * The wallet rows for those names; if wallets come first, those that replace their single row.
   */
  walletRows(names: readonly string[], first: boolean): Promise<readonly WalletRow[]>
}
/** What a row shows that we have no words for. */
export interface Named {
  readonly name: string
  /** The address of an image, or the name of a wallet. */
  readonly icon?: string | undefined
}

export interface WalletRow extends Named {
  readonly id: string
  /** The method that it replaces. */
  readonly under: string
  readonly recent?: boolean
}

/** A script of a page may give anything as a list. */
const areNames = (list: unknown) =>
  Array.isArray(list) && list.every((name: unknown) => typeof name === 'string')

/** Shows the login methods until one of them has led to a person. */
export async function identify<T extends object>(cx: EntryContext, actions: LandingActions<T>): Promise<T> {
  const { config, options, recent, stage, t } = cx
  const { prefill = cx.awaited, loginMethods: only } = options
  const inOrder = only ? { primary: only, overflow: [] } : config.order
  if (inOrder && ![inOrder.primary, inOrder.overflow].every(areNames))
    throw new KitError('invalid_configuration', 'Login methods must be lists of names')
  const has = (method: string) => isOtherApp(method) || config.methods.includes(switchOf(method))
  const order = inOrder && { primary: inOrder.primary.filter(has), overflow: inOrder.overflow.filter(has) }
  const asked = order ? [...order.primary, ...order.overflow] : config.methods
  /** Wallets by their names, if there are any. */
  const strange = asked.filter((method) => !hasRow(method) && method !== 'passkey')
  const first = !order && config.walletsFirst && asked.includes('wallet')
  /** If they can't be loaded, the row for all wallets stands in for them. */
  const instead = (under: string): WalletRow => ({ id: 'wallet', under, name: t('login.wallet') })
  const rows =
    first || strange.length > 0
      ? await actions.walletRows(strange, first).catch(() => strange.map(instead))
      : []
  /** If the wallet used last has a row of its own, that row is tagged, and not the row of all wallets. */
  const last = rows.find((row) => row.recent)?.id ?? recent
  const inRows = (methods: readonly string[]) =>
    methods.flatMap((method) => {
      const own = rows.filter(({ under }) => under === method).map(({ id }) => id)
      return own.length > 0 || !hasRow(method) ? own : [method]
    })
  const { main, more, moreAs } = order
    ? ordered(inRows(order.primary), inRows(order.overflow), last)
    : grouped(asked.filter(hasRow), inRows(asked.filter(isList)), first, last)
  const passkey = has('passkey') && (only ?? config.host.loginMethods ?? config.methods).includes('passkey')
  if (main.length + more.length === 0 && !passkey)
    throw new KitError('invalid_configuration', 'This app has no login methods')
  let apps: Readonly<Record<string, Named>> = Object.fromEntries(rows.map((row) => [row.id, row]))
  /** The rows of other apps are there at once, and get their names and icons when those arrive. */
  const others = [...main, ...more].filter(isOtherApp)
  let naming: Promise<{ named: typeof apps }> | undefined
  if (others.length > 0)
    naming = actions.appNames(others).then(
      (named) => ({ named: { ...apps, ...named } }),
      () => ({ named: apps }),
    )

  const values: Record<string, string> = {
    ...(prefill && { [prefill.type === 'email' ? 'email' : 'sms']: prefill.value }),
  }
  let page: 'main' | 'more' = main.length > 0 || more.length === 0 ? 'main' : 'more'
  /** At most one of the inputs is open; the other is a row that opens it. */
  let open = firstInput(main, prefill, config.collapsedInputs)
  let error: { of: string; words: string } | undefined

  const toRow = (method: string): LandingMethod => ({
    id: method,
    kind: method !== open ? 'row' : method === 'email' ? 'email-field' : 'phone-field',
    label: apps[method]?.name ?? t(method === otherSocials ? 'login.socials' : labelOf(method)),
    icon: apps[method]?.icon,
    recent: method === last,
    opens: opensWindow(cx, method),
  })
  const errorOf = (method: string) => (error?.of === method ? error.words : undefined)

  /** What the policy of the page forbids is not offered, unless it is all that there is. */
  const impossible = new Set<string>()
  const possible = (methods: readonly string[]) => {
    const left = methods.filter((method) => !impossible.has(method))
    return left.length > 0 ? left : methods
  }

  for (;;) {
    const methods = possible(page === 'main' ? main : more)
    const left = new AbortController()
    const answer = await Promise.race([
      stage.ask(landing, {
        app: { name: config.appName, logoUrl: config.logoUrl },
        header: config.landingHeader,
        // What has no field of its own to stand under takes the place of the app's message.
        message: error && error.of !== open ? error.words : config.loginMessage,
        page,
        methods: methods.map(toRow),
        more: more.length > 0 ? moreAs : undefined,
        passkey,
        email: { value: values.email ?? '', plusAllowed: config.plusEmailsAllowed, error: errorOf('email') },
        phone: {
          value: values.sms ?? '',
          country: config.host.intl?.defaultCountry,
          error: errorOf('sms'),
        },
        legal: legalOf(config),
      }),
      ...(naming ? [naming] : []),
      prepared(
        cx,
        actions,
        [
          ...methods.filter((method) => method !== otherSocials && !impossible.has(method)),
          ...(passkey ? ['passkey'] : []),
        ],
        open === 'email',
        left.signal,
      ),
    ]).finally(() => left.abort())
    if (typeof answer === 'object' && 'named' in answer) {
      apps = answer.named
      naming = undefined
      continue
    }
    if (typeof answer === 'object' && 'unavailable' in answer) {
      for (const method of answer.unavailable) impossible.add(method)
      continue
    }
    error = undefined
    if (answer === 'more' || answer === 'back') page = answer === 'more' ? 'more' : 'main'
    else if ('method' in answer && isInput(answer.method)) open = answer.method
    else {
      const choice = choiceOf(answer)
      if (choice.value) values[choice.method] = choice.value
      const outcome = await actions.logIn(choice)
      if (!('back' in outcome)) return outcome
      if (outcome.error)
        error = { of: isInput(choice.method) ? choice.method : 'email', words: outcome.error }
    }
  }
}

/** The field that is open at first: the one that the host has filled in, or the first unless all begin as rows. */
function firstInput(
  main: readonly string[],
  prefill: EntryContext['options']['prefill'],
  collapsed: boolean,
): string | undefined {
  const wanted = prefill?.type === 'phone' ? 'sms' : prefill && 'email'
  if (wanted && main.includes(wanted)) return wanted
  return collapsed ? undefined : main.find(isInput)
}

/**
 * Whether a row continues in a window, which must be opened within the press. Behind a captcha that is
 * impossible, so the next screen asks for another press. Telegram's window comes before the captcha.
 */
function opensWindow({ config, page }: EntryContext, method: string): boolean {
  if (method === 'telegram') return true
  if (config.app.captcha.enabled) return false
  return (
    isOtherApp(method) ||
    (socials.includes(method) && (page.framed || config.host.oauth?.returnBy === 'popup'))
  )
}

const choiceOf = (answer: { email: string } | { phone: string } | Choice): Choice =>
  'email' in answer
    ? { method: 'email', value: answer.email }
    : 'phone' in answer
      ? { method: 'sms', value: answer.phone }
      : answer

/** Once the screen has been visible for a while the rest is loaded, so that the next press finds it there. */
async function prepared(
  { clock }: EntryContext,
  actions: LandingActions<object>,
  methods: readonly string[],
  emailField: boolean,
  signal: AbortSignal,
): Promise<Prepared> {
  const never = new Promise<never>(() => {})
  try {
    await clock.sleep(landingLimits.idle, signal)
    return await actions.prepare(methods, { signal, emailField })
  } catch {
    // The person left, or it can't be loaded now: pressing the row will show the error.
    return never
  }
}
