import { socials } from '../../config.ts'
import type { PlainKey } from '../../copy/copy.ts'
import { limits } from '../../core/limits.ts'
import { KitError } from '../../errors/kit-error.ts'
import { type LandingMethod, landing } from '../../screens/login/landing.tsx'
import type { BackToStart, Choice, EntryContext, PrepareContext } from './context.ts'
import { legalOf } from './legal.ts'
import { grouped, ordered, otherSocials } from './methods.ts'

/** The methods that have a row. One is a word here, and its name among the words of the landing screen. */
const named: readonly string[] = ['email', 'sms', 'farcaster', 'telegram', 'wallet', ...socials]

const isOtherApp = (method: string) => method.includes(':')
const hasRow = (method: string) => named.includes(method) || isOtherApp(method)
const isList = (method: string) => method === 'wallet'
const isInput = (method: string) => method === 'email' || method === 'sms'
const labelOf = (method: string) =>
  `login.${isOtherApp(method) ? 'otherApp' : isInput(method) ? `${method}.continue` : method}` as PlainKey

/** What the landing screen leads to. */
export interface Ways<T> {
  enter(choice: Choice): Promise<T | BackToStart>
  /** Gets ready what stands on the screen; a choice that comes by itself is resolved with. */
  prepare(methods: readonly string[], screen: Pick<PrepareContext, 'signal' | 'emailField'>): Promise<Choice>
  /** How other apps call themselves; none that can't be asked. */
  otherApps(methods: readonly string[]): Promise<Readonly<Record<string, Named>>>
  /** The rows of wallets that those names stand for; where wallets come first, those in place of their one row. */
  wallets(names: readonly string[], first: boolean): Promise<readonly WalletRow[]>
}
/** What stands in a row for which we have no words. */
export interface Named {
  readonly name: string
  /** The address of an image, or the name of a wallet. */
  readonly icon: string | undefined
}

export interface WalletRow extends Named {
  readonly id: string
  /** The method in whose place it stands. */
  readonly under: string
  readonly recent: boolean
}

/** Shows the ways in until one of them has led to a person. Spec §2 "Landing". */
export async function identify<T extends object>(cx: EntryContext, ways: Ways<T>): Promise<T> {
  const { config, options, recent, stage, t } = cx
  const { prefill, loginMethods: only } = options
  const order = only ? { primary: only, overflow: [] } : config.order
  const asked = order ? [...order.primary, ...order.overflow] : config.methods
  /** Wallets by their names, if they are any. */
  const strange = asked.filter((method) => !hasRow(method) && method !== 'passkey')
  const first = !order && config.walletsFirst && asked.includes('wallet')
  const rows = first || strange.length > 0 ? await ways.wallets(strange, first) : []
  /** A wallet with a row of its own is what was used, and not the row of them all. */
  const last = rows.find((row) => row.recent)?.id ?? recent
  const inRows = (methods: readonly string[]) =>
    methods.flatMap((method) => {
      const own = rows.filter(({ under }) => under === method).map(({ id }) => id)
      return own.length > 0 || !hasRow(method) ? own : [method]
    })
  const { main, more, moreAs } = order
    ? ordered(inRows(order.primary), inRows(order.overflow), last)
    : grouped(asked.filter(hasRow), inRows(asked.filter(isList)), first, last)
  const passkey = (only ?? config.host.loginMethods ?? config.methods).includes('passkey')
  if (main.length + more.length === 0 && !passkey)
    throw new KitError('invalid_configuration', 'This app has no way to log in')
  let apps: Readonly<Record<string, Named>> = Object.fromEntries(rows.map((row) => [row.id, row]))
  /** The rows of other apps stand there at once, and get their names and pictures when those come. */
  const others = [...main, ...more].filter(isOtherApp)
  let naming: Promise<{ named: typeof apps }> | undefined
  if (others.length > 0)
    naming = ways.otherApps(others).then(
      (named) => ({ named: { ...apps, ...named } }),
      () => ({ named: apps }),
    )

  const values: Record<string, string> = {
    ...(prefill && { [prefill.type === 'email' ? 'email' : 'sms']: prefill.value }),
  }
  let page: 'main' | 'more' = main.length > 0 || more.length === 0 ? 'main' : 'more'
  /** Of the inputs one at most is open; the other is a row that opens it. */
  let open = config.collapsedInputs ? undefined : firstInput(main, prefill)
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

  for (;;) {
    const methods = page === 'main' ? main : more
    const left = new AbortController()
    const answer = await Promise.race([
      stage.ask(landing, {
        app: { name: config.appName, logoUrl: config.logoUrl },
        header: config.landingHeader,
        message: config.loginMessage,
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
        ways,
        [...methods.filter((method) => method !== otherSocials), ...(passkey ? ['passkey'] : [])],
        open === 'email',
        left.signal,
      ),
    ]).finally(() => left.abort())
    if (typeof answer === 'object' && 'named' in answer) {
      apps = answer.named
      naming = undefined
      continue
    }
    error = undefined
    if (answer === 'more' || answer === 'back') page = answer === 'more' ? 'more' : 'main'
    else if ('method' in answer && isInput(answer.method)) open = answer.method
    else {
      const choice = choiceOf(answer)
      if (choice.value) values[choice.method] = choice.value
      const outcome = await ways.enter(choice)
      if (!('back' in outcome)) return outcome
      if (outcome.error)
        error = { of: isInput(choice.method) ? choice.method : 'email', words: outcome.error }
    }
  }
}

/** The field that is open at first: what the host has filled in, or the first of them. */
function firstInput(
  main: readonly string[],
  prefill: EntryContext['options']['prefill'],
): string | undefined {
  const wanted = prefill?.type === 'phone' ? 'sms' : prefill && 'email'
  return wanted && main.includes(wanted) ? wanted : main.find(isInput)
}

/**
 * Whether a row goes on in a window, which must be opened within the press (elements 3.33). Behind a captcha it can't
 * be: what comes then asks for another press. Telegram's window comes before the captcha.
 */
function opensWindow({ config, page }: EntryContext, method: string): boolean {
  if (method === 'telegram') return true
  if (config.app.captcha) return false
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

/** Once the screen has stood for a while the rest is loaded, so that the next press finds it there. */
async function prepared(
  { clock }: EntryContext,
  ways: Ways<object>,
  methods: readonly string[],
  emailField: boolean,
  signal: AbortSignal,
): Promise<Choice> {
  const never = new Promise<never>(() => {})
  try {
    await clock.sleep(limits.landingIdle, signal)
    return await ways.prepare(methods, { signal, emailField })
  } catch {
    // Left, or not to be had now: whoever presses the row hears of it.
    return never
  }
}
