import { expectTypeOf, test } from 'vitest'
import type { LoginModal } from '../../elements/login-modal.ts'
import type { Props } from '../../elements/types.ts'
import type { HostConfig } from '../../src/app/config.ts'
import type { KitError } from '../../src/errors/kit-error.ts'
import type * as Public from '../../src/index.ts'
import type { ConnectedWallet, EmbeddedWallet, Kit, LoginOptions } from '../../src/kit/api.ts'
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

test('a code that does not exist is no case of an error’s code; that of a newer server is compared as text', () => {
  const isOver = ({ code }: KitError) => {
    // @ts-expect-error there is no such code
    if (code === 'exited_login_flow') return true
    return code === 'exited_auth_flow' || String(code) === 'of_a_newer_server'
  }
  expectTypeOf(isOver).returns.toBeBoolean()
})

test('the message of typed data follows from its types', () => {
  const types = {
    Vote: [
      { name: 'proposal', type: 'uint256' },
      { name: 'by', type: 'Voter[]' },
    ],
    Voter: [{ name: 'wallet', type: 'address' }],
  } as const
  const sign = (kit: Kit) => {
    const by = [{ wallet: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' }]
    void kit.signTypedData({ types, primaryType: 'Vote', message: { proposal: 12n, by } })
    void kit.signTypedData({
      types: { Vote: [{ name: 'proposal', type: 'uint256' }] },
      primaryType: 'Vote',
      message: { proposal: 12 },
    })
    // @ts-expect-error a field is missing
    void kit.signTypedData({ types, primaryType: 'Vote', message: { by } })
    // @ts-expect-error a field has a value of another type
    void kit.signTypedData({ types, primaryType: 'Vote', message: { proposal: true, by } })
    // @ts-expect-error there is no such struct
    void kit.signTypedData({ types, primaryType: 'Ballot', message: { proposal: 12n, by } })
    const ofServer: Public.TypedDataInput = JSON.parse('{}')
    void kit.signTypedData(ofServer)
    const voter = { wallet: 5 }
    // @ts-expect-error a field has a value of another type
    void kit.crossApp.signTypedData({ types, primaryType: 'Voter', message: voter }, { address: '0x' })
  }
  expectTypeOf(sign).toBeFunction()
})

test('what a host passes and gets can be named', () => {
  expectTypeOf<Public.SmartWallet['type']>().toBeString()
  expectTypeOf<Public.SentTransaction['receipt']>().toEqualTypeOf<Public.TransactionReceipt>()
  expectTypeOf<Public.SignTypedDataOptions['acceptsEdited']>().toEqualTypeOf<boolean | undefined>()
  expectTypeOf<Public.TypedDataSignature['signature']>().toBeString()
})
