/** Authorizations of code for the wallet's own address (EIP-7702) that the app sends by itself. */
import { KitError } from '../../errors/kit-error.ts'
import { formatAuthorization } from '../../ethereum/authorization.ts'
import type { CodeAuthorization, Delegate } from '../../ethereum/wallet-code.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import { requestSignature } from '../request-signature.ts'
import { authorizationProps } from './preview.ts'
import { type SignAuthorizationProps, signAuthorization as screen } from './sign-authorization.tsx'

export interface AuthorizationSignature {
  readonly r: `0x${string}`
  readonly s: `0x${string}`
  readonly yParity: 0 | 1
}

export interface SignAuthorizationRequest {
  readonly wallet: EmbeddedAccount
  readonly authorization: CodeAuthorization
  /** The name of its chain. */
  readonly network: string
  readonly delegates: readonly Delegate[]
  /** The contract whose code the wallet has already. */
  readonly walletCode: string | undefined
}

/**
 * Reviews an authorization with the user, and signs it. It is displayed in every app: nobody gets code unseen.
 * @throws Closed if the user rejects it
 */
export function signAuthorization(
  cx: WalletFlow,
  { wallet, authorization, ...context }: SignAuthorizationRequest,
): Promise<AuthorizationSignature> {
  return requestSignature<SignAuthorizationProps, AuthorizationSignature>(cx, {
    wallet,
    screen: screen as never,
    props: {
      origin: cx.page.origin,
      address: wallet.address,
      cancellable: true,
      ...authorizationProps(authorization, context),
    },
    signature: {
      content: { kind: 'authorization', authorization: formatAuthorization(authorization) },
      read: readSignature,
    },
  })
}

const SCALAR = /^0x[\da-f]{64}$/

function readSignature(result: string | object): AuthorizationSignature {
  const { r, s, yParity } = result as Partial<AuthorizationSignature>
  const isScalar = (value: unknown): value is `0x${string}` => typeof value === 'string' && SCALAR.test(value)
  if (!isScalar(r) || !isScalar(s) || (yParity !== 0 && yParity !== 1))
    throw new KitError('unable_to_sign', 'Unable to sign the authorization')
  return { r, s, yParity }
}
