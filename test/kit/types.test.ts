import { expectTypeOf, test } from 'vitest'
import type { LoginModal } from '../../elements/login-modal.ts'
import type { Props } from '../../elements/types.ts'
import type { HostConfig } from '../../src/app/config.ts'
import type { ConnectedWallet, EmbeddedWallet, LoginOptions } from '../../src/kit/api.ts'
import type { User } from '../../src/protocol/user.ts'
import type { EthereumProvider, SolanaProvider } from '../../src/wallets/external/connector.ts'

// The compiler checks these (`npm run check`); a line that wants an error and has none is one.

test('the provider of a wallet follows from its chain', () => {
  const of = (wallet: ConnectedWallet | EmbeddedWallet) => {
    if (wallet.chainType === 'ethereum') expectTypeOf(wallet.getProvider()).toEqualTypeOf<EthereumProvider>()
    else expectTypeOf(wallet.getProvider()).toEqualTypeOf<SolanaProvider>()
  }
  expectTypeOf(of).toBeFunction()
})

test('a login method is one that exists, or the account of another app', () => {
  expectTypeOf<{ loginMethods: ['email', 'google', 'metamask', 'privy:some-app'] }>().toExtend<LoginOptions>()
  // @ts-expect-error there is no such method
  const wrong: LoginOptions = { loginMethods: ['e-mail'] }
  expectTypeOf(wrong).toExtend<LoginOptions>()
})

test('an element takes the handlers of its own events and of no other', () => {
  expectTypeOf<Props<'login-modal'>['onlk-login']>().not.toBeNever()
  expectTypeOf<Props<'login-modal'>['onlk-signature']>().toEqualTypeOf<undefined>()
  expectTypeOf<Props<'wallet-sign'>['onlk-signature']>().not.toEqualTypeOf<undefined>()
})

test('a listener of an element knows what its event brings', () => {
  const listen = (element: LoginModal) =>
    element.addEventListener('lk-user', ({ detail }) => {
      expectTypeOf(detail).toEqualTypeOf<{ user: User | null }>()
    })
  expectTypeOf(listen).toBeFunction()
})

test('there is no setting that nothing follows', () => {
  // @ts-expect-error people can't buy anything here
  const funded: HostConfig = { fundingMethodConfig: { moonpay: { useSandbox: true } } }
  // @ts-expect-error the screens of wallets are always there, so no app has to enforce them
  const enforced: HostConfig = { enforceWalletUis: true }
  expectTypeOf([funded, enforced]).toBeArray()
})
