import { askOutside, type OutsideAnswer } from '../../outside/ask.ts'
import type { KeySets } from '../../outside/key-sets.ts'
import { ProviderFailure, requireSuccess } from './failure.ts'
import { type Profile, readProfile } from './profiles.ts'
import type { Provider } from './providers.ts'
import {
  type CodeGrant,
  type OAuthClient,
  type ProviderTokens,
  readIdToken,
  requestTokens,
  type TokenDependencies,
} from './tokens.ts'

/**
 * Makes a provider's code into who the person is.
 * @throws ProviderFailure, or Refusal when the provider refuses the account or is asked too often
 */
export type Exchange = (
  provider: Provider,
  client: OAuthClient,
  grant: CodeGrant,
) => Promise<{ profile: Profile; tokens: ProviderTokens }>

/** This backend as a confidential client of each provider: code, tokens, profile. */
export function createExchange(deps: TokenDependencies & { keySets: KeySets }): Exchange {
  const { limits } = deps
  const bounds = { timeout: limits.outsideTimeout, most: limits.outsideAnswerSize }

  async function ask(provider: Provider, address: string, accessToken: string): Promise<unknown> {
    const headers = { authorization: `Bearer ${accessToken}`, 'user-agent': 'latchkey' }
    let answer: OutsideAnswer
    try {
      answer = await askOutside(provider.name, address, { headers, ...bounds })
    } catch (cause) {
      throw new ProviderFailure(provider, 'unreachable', '', { cause })
    }
    requireSuccess(provider, answer)
    return answer.body
  }

  async function askProfile(provider: Provider, address: string, accessToken: string): Promise<unknown> {
    if (provider.id !== 'github') return ask(provider, address, accessToken)
    const [answer, emails] = await Promise.all([
      ask(provider, address, accessToken),
      ask(provider, `${address}/emails`, accessToken).catch((cause: unknown) => {
        // Other scopes may have been asked for: then there is no address, and that is no failure.
        if (cause instanceof ProviderFailure && cause.kind === 'refused') return []
        throw cause
      }),
    ])
    return { ...(answer as object), emails }
  }

  return async (provider, client, grant) => {
    const answer = await requestTokens(provider, client, grant, deps)
    const { tokens } = answer
    const said = provider.profile
      ? await askProfile(provider, provider.profile, tokens.accessToken)
      : await readIdToken(provider, client, answer, grant.nonce, deps)
    return { profile: readProfile(provider, said), tokens }
  }
}
