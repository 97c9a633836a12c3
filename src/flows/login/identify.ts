import { landing } from '../../screens/login/landing.tsx'
import type { BackToStart, EntryContext, Login } from './context.ts'
import { arrangeMethods } from './methods.ts'

/** The methods that have a flow. A method is one row here, with its screen rows in {@link rowOf}. */
const offered = ['email'] as const
type Offered = (typeof offered)[number]
const isOffered = (method: string): method is Offered => (offered as readonly string[]).includes(method)

/** The ways in, each from what was entered to a person or back. */
export interface Ways {
  email(address: string): Promise<Login | BackToStart>
}

/** Shows the ways in until one of them has led to a person. Spec §2 "Landing". */
export async function identify(cx: EntryContext, ways: Ways): Promise<Login> {
  const { config, options, recent, stage, t } = cx
  const { main, more } = arrangeMethods(
    (options.loginMethods ?? config.primaryMethods).filter(isOffered),
    options.loginMethods ? [] : config.overflowMethods.filter(isOffered),
    recent,
  )
  let page: 'main' | 'more' = main.length > 0 ? 'main' : 'more'
  let expanded = !config.collapsedInputs
  let email = options.prefill?.type === 'email' ? options.prefill.value : ''
  let error: string | undefined

  for (;;) {
    const rowOf = (method: Offered) => ({
      id: method,
      kind: expanded ? ('email-field' as const) : ('row' as const),
      label: t('login.email.continue'),
      icon: 'mail',
      recent: method === recent,
    })
    const answer = await stage.ask(landing, {
      app: { name: config.appName, ...(config.logoUrl && { logoUrl: config.logoUrl }) },
      ...(config.landingHeader && { header: config.landingHeader }),
      ...(config.loginMessage && { message: config.loginMessage }),
      page,
      methods: (page === 'main' ? main : more).filter(isOffered).map(rowOf),
      more: page === 'main' && more.length > 0,
      email: { value: email, plusAllowed: config.plusEmailsAllowed, ...(error && { error }) },
      ...legalOf(cx),
    })
    error = undefined
    if (answer === 'more' || answer === 'back') page = answer === 'more' ? 'more' : 'main'
    else if ('method' in answer) expanded = true
    else {
      email = answer.email
      const outcome = await ways.email(email)
      if (!('back' in outcome)) return outcome
      error = outcome.error
    }
  }
}

/** Spec §2 "Footer": hidden when the terms must be accepted on a screen of their own, or no address is set. */
function legalOf({ config }: EntryContext) {
  if (config.requireTerms || (!config.termsUrl && !config.privacyUrl)) return {}
  return {
    legal: {
      ...(config.termsUrl && { termsUrl: config.termsUrl }),
      ...(config.privacyUrl && { privacyUrl: config.privacyUrl }),
    },
  }
}
