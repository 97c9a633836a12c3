import type { FundingProvider, FundingSettings } from '../../protocol/app-config.ts'
import type { FundingQuote } from '../../protocol/funding.ts'

/** Ways to buy: `card` means all that is paid at a provider, `exchange` what is sent from an account there. */
export type PurchaseKind = 'card' | 'exchange'

/** Which providers the app offers for a kind, with the preferred one first. */
export interface Offers {
  readonly kind: PurchaseKind
  readonly providers: readonly FundingProvider[]
  /** The one that is proposed. */
  preferred(): FundingProvider
  /** Proposes the next one. */
  tryNext(): void
  /** Whether the app offers what a quote is of. */
  allows(quote: Pick<FundingQuote, 'provider' | 'method'>): boolean
}

/** Names of providers in the options of compatible apps. */
const fromOption: Readonly<Record<string, string>> = { coinbase: 'coinbase-onramp' }
const requests: readonly string[] = ['apple-pay', 'google-pay']

/**
 * Reads what the app offers; `undefined` where it has no provider for this kind, or none that sells what is funded.
 * @param target what is funded; without it, whatever they sell
 */
export function readOffers(
  settings: FundingSettings,
  kind: PurchaseKind,
  target?: { readonly chain: string; readonly asset: string },
): Offers | undefined {
  const isOfKind = (method: string) => (method === 'exchange') === (kind === 'exchange')
  const options = settings.options
    .map(({ method, provider }) => ({ method, provider: fromOption[provider] ?? provider }))
    .filter(({ method }) =>
      kind === 'exchange' ? method === 'exchange' : method === 'card' || method === 'payment-request',
    )
  const isSold = (sells: FundingProvider['sells']) =>
    !target || !sells || sells.some(({ chain, asset }) => chain === target.chain && asset === target.asset)
  const isEnabled = ({ id, methods, sells }: FundingProvider) =>
    settings.methods.includes(id) && methods.some(isOfKind) && isSold(sells)
  function allows({ provider, method }: Pick<FundingQuote, 'provider' | 'method'>): boolean {
    if (!isOfKind(method) || !providers.some(({ id }) => id === provider)) return false
    if (settings.options.length === 0) return true
    return options.some(
      (each) =>
        each.provider === provider && (each.method !== 'payment-request' || requests.includes(method)),
    )
  }
  const ranked = [...new Set(options.map(({ provider }) => provider))]
  const providers = settings.providers
    .filter(
      (each) => isEnabled(each) && (settings.options.length === 0 || ranked.some((id) => id === each.id)),
    )
    .toSorted((one, other) => ranked.indexOf(one.id) - ranked.indexOf(other.id))
  let at = 0
  const [first] = providers
  if (!first) return undefined
  return {
    kind,
    providers,
    preferred: () => providers[at % providers.length] ?? first,
    tryNext() {
      at++
    },
    allows,
  }
}
