import { recoverMessageAddress } from 'viem'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { KitError } from '../../src/errors/kit-error.ts'
import type { RpcRequest } from '../../src/protocol/frame/calls.ts'
import { wireUser } from '../support/api.ts'
import { settled } from '../support/clock.ts'
import { ethereumAccount, vaultAnswer, walletAccount } from '../support/embedded-kit.ts'
import { embeddedWallet, type KitSetUp, kitWithPerson, walletAddress } from '../support/kit.ts'
import type { Step } from '../support/person.ts'
import { fakeVault } from '../support/vault.ts'

const signature = `0x${'ab'.repeat(65)}`
const signed = (address: string) => ({
  address,
  chainType: 'ethereum',
  response: { method: 'personal_sign', data: signature },
})
const accounts = [...wireUser().linked_accounts, embeddedWallet]

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

/** Somebody who is logged in and has a wallet. */
async function setUp(more: KitSetUp = {}) {
  const set = await kitWithPerson({
    accounts,
    vault: fakeVault({ walletRpc: () => signed(walletAddress) }),
    ...more,
  })
  await set.kit.email.sendCode({ email: 'ada@example.com' })
  await set.kit.email.loginWithCode({ code: '123456' })
  const sign = async (script: Step[], message: unknown = 'Hello') => {
    const outcome = set.kit.signMessage({ message: message as string }).then(
      (answer) => ({ signature: answer.signature, error: undefined }),
      (error: KitError) => ({ signature: undefined, error }),
    )
    await set.person.follow(script)
    return outcome
  }
  return { ...set, sign }
}

describe('signing a message', () => {
  test('shows it with who asks and which wallet signs, and gives the signature', async () => {
    const { sign, person, vault } = await setUp()
    const seen: unknown[] = []
    const { signature: got } = await sign([
      { on: 'sign-message', expect: (props) => seen.push(props), answer: 'sign' },
      { wait: 2000 },
    ])
    expect(got).toBe(signature)
    expect(seen).toMatchObject([{ message: 'Hello', origin: 'https://host.example', address: walletAddress }])
    expect(vault.asked.map((each) => each.data)).toMatchObject([
      {
        entropyId: walletAddress,
        request: { method: 'personal_sign', params: ['0x48656c6c6f', walletAddress] },
      },
    ])
    expect(person.ends).toEqual([{ completed: true }])
  })

  test('in the positional form gives the text alone', async () => {
    const { kit, person } = await setUp()
    const done = kit.signMessage('Hello', { title: 'Prove it' })
    await person.follow([
      { on: 'sign-message', expect: (props) => expect(props.title).toBe('Prove it'), answer: 'sign' },
      { wait: 2000 },
    ])
    expect(await done).toBe(signature)
  })

  test('tells the page', async () => {
    const { sign, kit } = await setUp()
    const heard: unknown[] = []
    kit.on('signature', (detail) => heard.push(detail))
    await sign([['sign-message', 'sign'], { wait: 2000 }])
    expect(heard).toEqual([{ signature, address: walletAddress }])
  })

  test.each([
    ['cancelled', ['sign-message', 'cancel'] as Step],
    ['closed', { on: 'sign-message', close: true } as Step],
  ])('that is %s was rejected by the user', async (_, step) => {
    const { sign, errors } = await setUp()
    const { error } = await sign([step])
    expect(error).toMatchObject({ code: 'unable_to_sign', shortMessage: 'User rejected the request.' })
    expect(errors).toEqual([])
  })

  test('recovers a wallet that is not on this device, then signs', async () => {
    let recovered = false
    const error = { type: 'wallet_not_on_device', message: 'no share' }
    const vault = fakeVault({
      walletRpc: () => (recovered ? signed(walletAddress) : { error }),
      recoverWallet: () => {
        recovered = true
        return { entropyId: walletAddress }
      },
    })
    const { sign, person } = await setUp({ vault })
    const { signature: got } = await sign([['sign-message', 'sign'], { wait: 5000 }])
    expect(got).toBe(signature)
    expect(person.trace().join(' ')).toContain('connecting-wallet')
  })

  test('that fails says so and lets the person try again', async () => {
    let tries = 0
    const error = { type: 'error', message: 'broken' }
    const { sign, errors } = await setUp({
      vault: fakeVault({ walletRpc: () => (++tries > 1 ? signed(walletAddress) : { error }) }),
    })
    const { signature: got } = await sign([
      ['sign-message', 'sign'],
      {
        on: 'sign-message',
        expect: (props) => expect(props.error).toBe('An error has occurred, please try again.'),
        answer: 'sign',
      },
      { wait: 2000 },
    ])
    expect(got).toBe(signature)
    expect(errors).toHaveLength(1)
  })

  test('with a vault that never answers: words and a retry within the limit', async () => {
    const { sign } = await setUp({ vault: fakeVault({ ready: () => undefined }) })
    const { error } = await sign([
      ['sign-message', 'sign'],
      { wait: 31_000 },
      { on: 'sign-message', expect: (props) => expect(props.error).toMatch(/wallet/i), close: true },
    ])
    expect(error?.code).toBe('unable_to_sign')
  })
})

describe('text that looks like hex', () => {
  test.each(['0x68656c6c6f', '0xabc', '0x', '0xZZ', 'žluťoučký kůň'])(
    '%s is shown as it is, and what is signed is verified as that text',
    async (message) => {
      const { sign, vault } = await setUp()
      const shown: unknown[] = []
      const show: Step = {
        on: 'sign-message',
        expect: (props) => shown.push(props.message),
        answer: 'sign',
      }
      await sign([show, { wait: 2000 }], message)
      expect(shown).toEqual([message])
      const signed = await vaultAnswer(walletAccount(), vault.asked[0]?.data.request as RpcRequest)
      // What the demo's page does with it.
      const signedBy = await recoverMessageAddress({ message, signature: signed as `0x${string}` })
      expect(signedBy).toBe(ethereumAccount.address)
    },
  )
})

describe('what can’t be signed', () => {
  test.each([
    ['a sign-in at another site', 'evil.example wants you to sign in with your Ethereum account:\n0x0'],
    ['half a surrogate', '\ud800'],
    ['more than the vault takes', 'x'.repeat(200_000)],
  ])('%s is refused, without a dialog', async (_, message) => {
    const { sign, person, vault } = await setUp()
    expect((await sign([], message)).error?.code).toBe('invalid_message')
    expect([person.ends, vault.asked]).toEqual([[], []])
  })

  test('a sign-in at this very page is none of those', async () => {
    const { sign } = await setUp()
    const text = 'host.example wants you to sign in with your Ethereum account:\n0x0'
    expect((await sign([['sign-message', 'sign'], { wait: 2000 }], text)).signature).toBe(signature)
  })

  test.each(['', null, 7, {}])('%o is no message', async (message) => {
    const { sign, person } = await setUp()
    const { error } = await sign([], message)
    expect(error).toMatchObject({
      code: 'invalid_message',
      shortMessage: 'Message must be a non-empty string',
    })
    expect(person.ends).toEqual([])
  })

  test('nothing, by somebody who is not logged in', async () => {
    const { kit } = await kitWithPerson()
    await expect(kit.signMessage('Hello')).rejects.toMatchObject({ code: 'must_be_authenticated' })
  })

  test('nothing, without a wallet', async () => {
    const { sign } = await setUp({ accounts: wireUser().linked_accounts })
    expect((await sign([])).error?.code).toBe('embedded_wallet_not_found')
  })
})

describe('requests of a host', () => {
  test('signMessage: a second message waits, and is displayed after the first', async () => {
    const { kit, person } = await setUp()
    const both = Promise.all([kit.signMessage('one'), kit.signMessage('two')])
    const seen: unknown[] = []
    const next: Step = {
      on: 'sign-message',
      expect: ({ message }) => seen.push(message),
      answer: 'sign',
    }
    await person.follow([next, { wait: 2000 }, next, { wait: 2000 }])
    expect(await both).toEqual([signature, signature])
    expect(seen).toEqual(['one', 'two'])
  })

  test('signMessage: rejecting the first by its button leaves the second', async () => {
    const { kit, person } = await setUp()
    const first = kit.signMessage('one').catch((error: KitError) => error.code)
    const second = kit.signMessage('two')
    await person.follow([['sign-message', 'cancel'], ['sign-message', 'sign'], { wait: 2000 }])
    expect(await first).toBe('unable_to_sign')
    expect(await second).toBe(signature)
  })

  test('signMessage: closing the dialog rejects the first and those that wait, and no later one', async () => {
    const { kit, person } = await setUp()
    const codes = ['one', 'two', 'three'].map((text) =>
      kit.signMessage(text).catch((error: KitError) => error.code),
    )
    await person.follow([{ on: 'sign-message', close: true }])
    expect(await Promise.all(codes)).toEqual(['unable_to_sign', 'unable_to_sign', 'unable_to_sign'])
    const later = kit.signMessage('later')
    await person.follow([['sign-message', 'sign'], { wait: 2000 }])
    expect(await later).toBe(signature)
  })

  test('signMessage: a double press signs once', async () => {
    const { kit, person, vault } = await setUp()
    const done = kit.signMessage('one')
    await person.follow([
      {
        on: 'sign-message',
        expect: () => person.scene?.answer('sign'),
        answer: 'sign',
      },
      { wait: 2000 },
    ])
    expect(await done).toBe(signature)
    expect(vault.asked).toHaveLength(1)
  })

  test.each<[string, object, object, object]>([
    ['its own option', {}, { showWalletUIs: false }, {}],
    ['the app’s setting', { embeddedWallets: { showWalletUIs: false } }, {}, {}],
    ['the older name of the setting', { embeddedWallets: { noPromptOnSignature: true } }, {}, {}],
    ['the server’s setting', {}, {}, { enforce_wallet_uis: false }],
  ])('signMessage: no screen and no dialog, by %s', async (_, config, uiOptions, app) => {
    const { kit, person } = await setUp({ options: { config }, app })
    const opened: boolean[] = []
    kit.state.subscribe(() => opened.push(kit.state.get().isModalOpen))
    const done = kit.signMessage({ message: 'Hello' }, { uiOptions })
    await person.follow([{ wait: 5000 }])
    expect(await done).toEqual({ signature })
    expect(person.ends).toEqual([])
    expect(opened).not.toContain(true)
  })

  test('signMessage: the call’s own option comes before the app’s setting', async () => {
    const { kit, person } = await setUp({
      options: { config: { embeddedWallets: { showWalletUIs: false } } },
    })
    const done = kit.signMessage('Hello', { showWalletUIs: true })
    await person.follow([['sign-message', 'sign'], { wait: 2000 }])
    expect(await done).toBe(signature)
  })

  test('signMessage: a failure without a screen is the error of the call', async () => {
    const error = { type: 'error', message: 'broken' }
    const { kit, person } = await setUp({ vault: fakeVault({ walletRpc: () => ({ error }) }) })
    const failed = kit.signMessage('Hello', { showWalletUIs: false }).catch(({ code }: KitError) => code)
    await person.follow([{ wait: 5000 }])
    expect(await failed).toBe('unknown_embedded_wallet_error')
    expect(person.ends).toEqual([])
  })
})

describe('without any of our screens', () => {
  test('the flow states of a login can be followed', async () => {
    const { kit } = await kitWithPerson()
    const states: string[] = [kit.email.state.get().status]
    kit.email.state.subscribe(() => states.push(kit.email.state.get().status))
    await kit.email.sendCode({ email: ' ada@example.com ' })
    const user = await kit.email.loginWithCode({ code: ' 123456 ' })
    expect(user.email?.address).toBe('ada@example.com')
    expect(states).toEqual(['initial', 'sending-code', 'awaiting-code-input', 'submitting-code', 'done'])
  })

  test.each([
    ['12345a', 'Code should be numeric'],
    ['12345', 'The code has 6 digits'],
  ])('%s is no code', async (code, words) => {
    const { kit, api } = await kitWithPerson()
    await kit.email.sendCode({ email: 'ada@example.com' })
    await expect(kit.email.loginWithCode({ code })).rejects.toMatchObject({
      code: 'invalid_data',
      shortMessage: words,
    })
    expect(kit.email.state.get()).toMatchObject({ status: 'error' })
    expect(api.to('/api/v1/passwordless/authenticate')).toHaveLength(0)
  })

  test('a code without a sending is out of order', async () => {
    const { kit } = await kitWithPerson()
    await expect(kit.email.loginWithCode({ code: '123456' })).rejects.toMatchObject({
      code: 'invalid_state',
      shortMessage: 'No auth flow in progress.',
    })
  })

  test('who subscribes hears the state at once and each change', async () => {
    const { kit } = await kitWithPerson()
    const heard: unknown[] = []
    const stop = kit.subscribe(({ ready, authenticated }) => heard.push([ready, authenticated]))
    await kit.email.sendCode({ email: 'ada@example.com' })
    await kit.email.loginWithCode({ code: '123456' })
    stop()
    await kit.logout()
    await settled()
    expect(heard).toEqual([
      [false, false],
      [true, false],
      [true, true],
    ])
  })

  test('analytics are posted without anything personal, or not at all', async () => {
    for (const analytics of [true, false]) {
      const { kit, api, clock } = await kitWithPerson({ options: { analytics } })
      await kit.email.sendCode({ email: 'ada@example.com' })
      await kit.email.loginWithCode({ code: '123456' })
      await clock.advance(2000)
      const posted = api.to('/api/v1/analytics_events')
      expect(posted.length > 0).toBe(analytics)
      const text = JSON.stringify(posted.map((call) => call.body))
      for (const secret of ['ada@example.com', '123456', 'did:privy', 'ey'])
        expect(text).not.toContain(secret)
    }
  })
})
