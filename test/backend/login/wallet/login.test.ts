import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  emailApp,
  newAccount,
  newSolanaAccount,
  refused,
  startWalletWorld,
  twoWalletsApp,
  types,
  verdict,
  WalletClient,
  walletApp,
} from '../../support/wallet-world.ts'
import { minutes, newAddress, stores, type World } from '../../support/world.ts'

describe.each(stores)('login with a wallet outside on $name', (store) => {
  const listed = newAccount()
  const listedSolana = newSolanaAccount()
  const allowlistApp = {
    ...walletApp,
    id: 'latchkey-test-wallets-010',
    allowlist: { emails: [], wallets: [listed.address.toLowerCase(), listedSolana.address] },
  }
  const closedApp = { ...walletApp, id: 'latchkey-test-wallets-011', signup: false }
  let world: World
  beforeAll(async () => {
    world = await startWalletWorld(store, { moreApps: [allowlistApp, closedApp] })
  })
  afterAll(() => world?.stop())
  const page = (options = {}) => new WalletClient(world, options)

  describe('of Ethereum', () => {
    test('a page gets a nonce for an address, which is good for ten minutes', async () => {
      const account = newAccount()
      const answer = await page().post('siwe/init', {
        address: ` ${account.address.toLowerCase()} `,
        token: null,
      })
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          nonce: expect.stringMatching(/^[\da-f]{24}$/),
          address: account.address,
          expires_at: new Date(world.clock.now + minutes(10)).toISOString(),
        },
      ])
    })

    test.each([
      '',
      '0x',
      'ada.eth',
      `0x${'g'.repeat(40)}`,
      `0x${'a'.repeat(41)}`,
      '0xE5a12547fe4E872D192E3eCecb76F2Ce1aeA4946',
    ])('the address %j is refused', async (address) => {
      expect(verdict(await page().post('siwe/init', { address }))).toEqual({
        status: 400,
        code: 'invalid_data',
      })
      expect(verdict(await page().post('siws/init', { address }))).toEqual({
        status: 400,
        code: 'invalid_data',
      })
    })

    test('a new person gets a session and a wallet in their account', async () => {
      const account = newAccount()
      const client = page()
      const login = await client.enter('siwe', await client.signed(account))
      expect(login.status).toBe(200)
      const now = Math.floor(world.clock.now / 1_000)
      expect(login.body).toMatchObject({
        is_new_user: true,
        session_update_action: 'set',
        refresh_token: expect.any(String),
      })
      expect(login.body.user.linked_accounts).toEqual([
        {
          type: 'wallet',
          address: account.address,
          chain_id: 'eip155:1',
          chain_type: 'ethereum',
          wallet_client: 'unknown',
          wallet_client_type: 'metamask',
          connector_type: 'injected',
          verified_at: now,
          first_verified_at: now,
          latest_verified_at: now,
        },
      ])
      const entries = JSON.parse(String(decodeJwt(login.body.identity_token).linked_accounts))
      expect(entries).toEqual([
        {
          type: 'wallet',
          address: account.address,
          chain_type: 'ethereum',
          wallet_client_type: 'metamask',
          lv: now,
        },
      ])
      for (const token of ['token', 'privy_access_token', 'identity_token'])
        expect(decodeJwt(login.body[token]).exp).toEqual(expect.any(Number))
      expect((await client.get('users/me')).body.user.id).toBe(login.body.user.id)
    })

    test('the same person is known again, and what is known of the wallet is brought up to date', async () => {
      const account = newAccount()
      const [first, again] = [page(), page()]
      const before = await first.enter('siwe', await first.signed(account))
      const after = await again.enter('siwe', {
        ...(await again.signed(account, { chainId: 8453 })),
        walletClientType: 'rainbow',
        connectorType: 'wallet_connect_v2',
      })
      expect(after.body.user.id).toBe(before.body.user.id)
      expect(after.body.is_new_user).toBe(false)
      expect(after.body.user.linked_accounts).toMatchObject([
        { chain_id: 'eip155:8453', wallet_client_type: 'rainbow', connector_type: 'wallet_connect_v2' },
      ])
    })

    test('a client may leave out what the wire lets it leave out', async () => {
      const ways = [
        { chainId: null, walletClientType: null, connectorType: null, mode: null },
        { chainId: undefined, walletClientType: undefined, connectorType: undefined },
        { chainId: '1', mode: 'login-or-sign-up', something: 'else' },
      ]
      for (const way of ways) {
        const client = page()
        const login = await client.enter('siwe', { ...(await client.signed(newAccount())), ...way })
        expect(verdict(login)).toEqual({ status: 200, code: undefined })
        expect(login.body.user.linked_accounts[0].chain_id).toBe('eip155:1')
      }
    })

    test.each([
      [{ chainId: 'solana:1' }],
      [{ chainId: `eip155:${'1'.repeat(40)}` }],
      [{ walletClientType: 'x'.repeat(65) }],
      [{ walletClientType: 'a\u0000b' }],
      [{ connectorType: '\ud800' }],
      [{ connectorType: 7 }],
      [{ mode: 'whatever' }],
      [{ message: undefined }],
      [{ signature: ['0x'] }],
    ])('%j is no request', async (change) => {
      const client = page()
      const answer = await client.enter('siwe', { ...(await client.signed(newAccount())), ...change })
      expect(verdict(answer)).toEqual({ status: 400, code: 'invalid_data' })
    })

    test('a person who may only log in is not signed up, and learns that only after the signature', async () => {
      const client = page()
      const signed = { ...(await client.signed(newAccount())), mode: 'no-signup' }
      const forged = { ...(await client.signed(newAccount(), { signer: newAccount() })), mode: 'no-signup' }
      expect(verdict(await client.enter('siwe', signed))).toEqual({
        status: 400,
        code: 'user_does_not_exist',
      })
      expect((await client.enter('siwe', forged)).body.code).not.toBe('user_does_not_exist')
      const closed = page({ appId: closedApp.id })
      expect(verdict(await closed.enter('siwe', await closed.signed(newAccount())))).toEqual({
        status: 403,
        code: 'signup_disabled',
      })
    })

    test('asking for a nonce tells nobody whether the wallet is known, and how long it takes is printed', async () => {
      const account = newAccount()
      const client = page()
      await client.enter('siwe', await client.signed(account))
      const times = { known: [] as number[], unknown: [] as number[] }
      const seen = new Set<string>()
      const others = Array.from({ length: 100 }, () => newAccount().address)
      for (const [round, other] of others.entries()) {
        // The one who comes first in a round is not always the same.
        const turns = round % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
        for (const who of turns) {
          const address = who === 'known' ? account.address : other
          const begun = performance.now()
          const answer = await page().post('siwe/init', { address })
          times[who].push(performance.now() - begun)
          const body = answer.text.replace(address, '<address>').replace(answer.body.nonce, '<nonce>')
          seen.add(JSON.stringify([answer.status, body, [...answer.headers]]))
        }
      }
      expect([...seen]).toHaveLength(1)
      const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
      const difference = Math.abs(median(times.known) - median(times.unknown))
      console.log(
        `siwe/init on ${store.name}: ${others.length} addresses of each kind, medians differ by ${difference.toFixed(2)} ms`,
      )
    })

    test('a repetition with the same idempotency key gets the same answer', async () => {
      const client = page()
      const signed = await client.signed(newAccount())
      const send = () =>
        client.post('siwe/authenticate', signed, {
          'idempotency-key': `siwe-${signed.signature.slice(2, 20)}`,
        })
      const [first, again] = [await send(), await send()]
      expect(first.status).toBe(200)
      expect(again.text).toBe(first.text)
      expect(verdict(await client.post('siwe/authenticate', signed))).toEqual(refused)
    })

    test('a guest who signs in keeps their user and is a guest no longer', async () => {
      const client = page()
      const guest = await client.post('guest/authenticate', { guest_credential: 'g'.repeat(43) })
      client.token = guest.body.token
      const login = await client.enter('siwe', await client.signed(newAccount()))
      expect(login.body.user).toMatchObject({ id: guest.body.user.id, is_guest: false })
    })
  })

  describe('of Solana', () => {
    test('a new person gets a session and a wallet in their account', async () => {
      const account = newSolanaAccount()
      const client = page()
      const begun = await client.post('siws/init', { address: ` ${account.address}\n` })
      expect(begun.body).toEqual({
        nonce: expect.stringMatching(/^[\da-f]{24}$/),
        address: account.address,
        expires_at: new Date(world.clock.now + minutes(10)).toISOString(),
      })
      const login = await client.enter('siws', await client.solana(account))
      expect(login.status).toBe(200)
      const now = Math.floor(world.clock.now / 1_000)
      expect(login.body.user.linked_accounts).toEqual([
        {
          type: 'wallet',
          address: account.address,
          chain_type: 'solana',
          wallet_client: 'unknown',
          wallet_client_type: 'phantom',
          connector_type: 'solana_adapter',
          verified_at: now,
          first_verified_at: now,
          latest_verified_at: now,
        },
      ])
      const entries = JSON.parse(String(decodeJwt(login.body.identity_token).linked_accounts))
      expect(entries).toEqual([
        {
          type: 'wallet',
          address: account.address,
          chain_type: 'solana',
          wallet_client_type: 'phantom',
          lv: now,
        },
      ])
      const again = page()
      const known = await again.enter('siws', await again.solana(account))
      expect([known.body.user.id, known.body.is_new_user]).toEqual([login.body.user.id, false])
    })

    test('is linked and taken away, and somebody else’s is not handed over', async () => {
      const account = newSolanaAccount()
      const owner = page()
      await owner.enter('siws', await owner.solana(account))
      const client = page()
      await client.login(newAddress())
      expect(verdict(await client.post('siws/link', await client.solana(account)))).toEqual({
        status: 400,
        code: 'linked_to_another_user',
      })
      const own = newSolanaAccount()
      expect(types(await client.post('siws/link', await client.solana(own)))).toEqual(['email', 'wallet'])
      expect(types(await client.post('siws/unlink', { address: own.address }))).toEqual(['email'])
      expect(verdict(await client.post('siws/unlink', { address: own.address }))).toEqual({
        status: 404,
        code: 'linked_account_not_found',
      })
      expect((await client.post('siws/transfer', {})).status).toBe(404)
    })
  })

  describe('accounts that belong together', () => {
    test('several wallets are linked, and taken away but for the last way in', async () => {
      const client = page()
      const [one, two] = [newAccount(), newAccount()]
      await client.enter('siwe', await client.signed(one))
      expect(types(await client.post('siwe/link', await client.signed(two)))).toEqual(['wallet', 'wallet'])
      expect(types(await client.post('siwe/link', await client.signed(two)))).toEqual(['wallet', 'wallet'])
      const left = await client.post('siwe/unlink', { address: one.address.toLowerCase() })
      expect(left.body.linked_accounts).toMatchObject([{ address: two.address }])
      expect(verdict(await client.post('siwe/unlink', { address: one.address }))).toEqual({
        status: 404,
        code: 'linked_account_not_found',
      })
      expect(verdict(await client.post('siwe/unlink', { address: two.address }))).toEqual({
        status: 400,
        code: 'cannot_unlink_sole_account',
      })
    })

    test('an app may say how many wallets one user has, of both chains together', async () => {
      const client = page({ appId: twoWalletsApp.id })
      expect((await client.get(`apps/${twoWalletsApp.id}`)).body).toMatchObject({
        wallet_auth: true,
        solana_wallet_auth: true,
        max_linked_wallets_per_user: 2,
      })
      await client.login(newAddress())
      expect((await client.post('siwe/link', await client.signed(newAccount()))).status).toBe(200)
      expect((await client.post('siws/link', await client.solana(newSolanaAccount()))).status).toBe(200)
      for (const [path, signed] of [
        ['siwe/link', await client.signed(newAccount())],
        ['siws/link', await client.solana(newSolanaAccount())],
      ] as const)
        expect(verdict(await client.post(path, signed))).toEqual({
          status: 400,
          code: 'cannot_link_more_of_type',
        })
    })

    test('a wallet of somebody else is handed over for the nonce of the offer, once', async () => {
      const account = newAccount()
      const former = page()
      await former.enter('siwe', await former.signed(account))
      const client = page()
      await client.login(newAddress())
      const offer = async () => client.post('siwe/link', await client.signed(account))
      const conflict = await offer()
      expect(verdict(conflict)).toEqual({ status: 400, code: 'account_transfer_required' })
      expect(conflict.body.data).toEqual({
        nonce: expect.any(String),
        subject: account.address,
        account: { type: 'wallet', displayName: account.address },
        otherUser: { embeddedWalletAddress: null },
      })
      const transfer = {
        nonce: conflict.body.data.nonce,
        address: account.address,
        chainId: 'eip155:1',
        walletClientType: 'metamask',
        connectorType: 'injected',
      }
      const wrong = await client.post('siwe/transfer', { ...transfer, address: newAccount().address })
      expect(verdict(wrong)).toEqual(refused)
      expect(verdict(await client.post('siwe/transfer', transfer))).toEqual(refused)
      transfer.nonce = (await offer()).body.data.nonce
      const done = await client.post('siwe/transfer', { ...transfer, chainId: null })
      expect([done.status, types(done)]).toEqual([200, ['wallet', 'email']])
      expect(verdict(await client.post('siwe/transfer', transfer))).toEqual(refused)
      expect((await former.get('users/me')).status).toBe(401)
      const again = page()
      expect(types(await again.enter('siwe', await again.signed(account)))).toEqual(['wallet', 'email'])
    })

    test('a nonce that was asked for in no session, or in another one, links nothing', async () => {
      const account = newAccount()
      const client = page()
      const before = await client.signed(account)
      await client.login(newAddress())
      expect(verdict(await client.post('siwe/link', before))).toEqual(refused)
      const other = page()
      await other.login(newAddress())
      const theirs = await other.signed(account)
      expect(verdict(await client.post('siwe/link', theirs))).toEqual(refused)
      const solana = newSolanaAccount()
      expect(verdict(await client.post('siws/link', await page().solana(solana)))).toEqual(refused)
      expect((await client.post('siwe/link', await client.signed(account))).status).toBe(200)
    })

    test('nobody links, unlinks or takes over without a session', async () => {
      for (const path of [
        'siwe/link',
        'siwe/unlink',
        'siwe/transfer',
        'siwe/link_smart_wallet',
        'siws/link',
        'siws/unlink',
      ])
        expect(verdict(await page().post(path, {}))).toEqual({
          status: 401,
          code: 'missing_or_invalid_token',
        })
    })
  })

  describe('what an app allows', () => {
    test('an app without wallets refuses them at every step', async () => {
      const client = page({ appId: emailApp.id })
      await client.login(newAddress())
      const off = { status: 403, code: 'disallowed_login_method' }
      const signed = { message: 'm', signature: '0x' }
      const { address } = newSolanaAccount()
      expect(verdict(await client.post('siws/init', { address }))).toEqual(off)
      for (const path of ['siwe/authenticate', 'siwe/link', 'siws/authenticate', 'siws/link'])
        expect(verdict(await client.post(path, signed))).toEqual(off)
      expect(
        verdict(await page({ appId: emailApp.id }).post('siwe/init', { address: newAccount().address })),
      ).toEqual(off)
    })

    test('an app with an allowlist lets in the wallets on it, however they are written', async () => {
      const options = { appId: allowlistApp.id }
      const enter = async () => {
        const client = page(options)
        return client.enter('siwe', await client.signed(listed))
      }
      expect((await enter()).status).toBe(200)
      const client = page(options)
      expect((await client.enter('siws', await client.solana(listedSolana))).status).toBe(200)
      const rejected = { status: 401, code: 'allowlist_rejected' }
      expect(verdict(await page(options).post('siwe/init', { address: newAccount().address }))).toEqual(
        rejected,
      )
      expect(verdict(await page(options).post('siws/init', { address: newSolanaAccount().address }))).toEqual(
        rejected,
      )
      // Base58 tells capitals from small letters.
      const other = listedSolana.address.toLowerCase()
      expect((await page(options).post('siws/init', { address: other })).status).not.toBe(200)
    })

    test('pages begin no more logins than the limit says', async () => {
      const client = page()
      const answers = []
      for (let call = 0; call < 31; call++)
        answers.push((await client.post('siwe/init', { address: newAccount().address })).status)
      expect(answers).toEqual([...Array(30).fill(200), 429])
    })
  })
})
