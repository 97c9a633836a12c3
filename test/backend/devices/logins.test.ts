/** Whoever has the token of a login, by whatever method, has no device of the user by that. */
import { and, eq } from 'drizzle-orm'
import { exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { createSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AppSettings } from '../../../demo/backend/settings/demo-apps.ts'
import { accounts } from '../../../demo/backend/users/tables.ts'
import { createAuthenticator } from '../../support/authenticator.ts'
import { serveFetch } from '../../support/serve.ts'
import { type Answer, Client } from '../support/client.ts'
import { path, random, Vault, verdict } from '../support/embedded-world.ts'
import { FarcasterClient, farcasterApp, startFarcasterWorld } from '../support/farcaster-world.ts'
import { newName, OAuthClient, oauthApp, startOAuthWorld } from '../support/oauth-world.ts'
import { newNumber, type SmsWorld, startSmsWorld } from '../support/sms-world.ts'
import { botToken, widgetOf } from '../support/telegram-world.ts'
import { newAccount, newSolanaAccount, WalletClient } from '../support/wallet-world.ts'
import { minutes, newAddress, site, stores, vaultOrigin, type World } from '../support/world.ts'

const needed = [403, 'enrolment_required']
const unknown = [403, 'device_not_enrolled']
const noProof = ['guest', 'passkey', 'custom JWT']

const strict = 'latchkey-test-logins-0001'
const compatible = 'latchkey-test-logins-0002'

/** A node of chain 10, which says of every contract what a test wants. */
async function startNode() {
  const node = { says: 'no' as 'yes' | 'no' | 'down' }
  const { origin, stop } = await serveFetch(async (request) => {
    const { id, method } = (await request.json()) as { id: number; method: string }
    if (node.says === 'down') return new Response('{}', { status: 502 })
    const result = method === 'eth_chainId' ? '0xa' : `0x${node.says === 'yes' ? '01' : '00'}`
    return Response.json({ jsonrpc: '2.0', id, result })
  })
  return Object.assign(node, { url: origin, stop })
}

async function signer() {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  return {
    publicKey: await exportSPKI(publicKey),
    sign: (subject: string, at: number) =>
      new SignJWT({})
        .setProtectedHeader({ alg: 'ES256' })
        .setSubject(subject)
        .setIssuer('https://login.example')
        .setAudience('our-app')
        .setIssuedAt(Math.floor(at / 1_000))
        .setExpirationTime(Math.floor(at / 1_000) + 600)
        .sign(privateKey),
  }
}

describe.each(stores)('devices: after a login on $name', (store) => {
  let world: SmsWorld
  let node: Awaited<ReturnType<typeof startNode>>
  let jwt: Awaited<ReturnType<typeof signer>>
  beforeAll(async () => {
    jwt = await signer()
    node = await startNode()
    const app: AppSettings = {
      id: strict,
      name: 'Every Login',
      allowedDomains: ['http://localhost:*'],
      methods: [
        'email',
        'sms',
        'wallet',
        'solana-wallet',
        'telegram',
        'guest',
        'passkey',
        'passkey-signup',
        'custom',
      ],
      telegram: {
        botId: '123456789',
        botName: 'latchkey_bot',
        botToken,
        link: true,
        seamless: true,
        // What the bot of the pages signs proves nothing to the vault.
        vaultBot: { botId: '987654321', botToken: '987654321:TEST-TOKEN-of-the-vault' },
      },
      customJwt: {
        publicKey: jwt.publicKey,
        algorithms: ['ES256'],
        issuer: 'https://login.example',
        audience: 'our-app',
      },
    }
    const moreApps = [app, { ...app, id: compatible, vault: 'compatible' as const }]
    world = await startSmsWorld(store, { moreApps, outside: { chainRpcUrls: { 10: node.url } } })
  })
  afterAll(async () => {
    await world?.stop()
    await node?.stop()
  })

  const logins: Record<string, (appId: string) => Promise<Answer>> = {
    email: (appId) => new Client(world, { appId }).login(newAddress()),
    async sms(appId) {
      const page = new Client(world, { appId })
      const phoneNumber = newNumber()
      await page.post('passwordless_sms/init', { phoneNumber })
      return page.post('passwordless_sms/authenticate', { phoneNumber, code: page.lastCode(phoneNumber) })
    },
    async wallet(appId) {
      const page = new WalletClient(world, { appId })
      return page.enter('siwe', await page.signed(newAccount()))
    },
    async 'Solana wallet'(appId) {
      const page = new WalletClient(world, { appId })
      return page.enter('siws', await page.solana(newSolanaAccount()))
    },
    telegram: (appId) =>
      new Client(world, { appId }).post('telegram/authenticate', widgetOf(world, newName('ada'))),
    guest: (appId) =>
      new Client(world, { appId }).post('guest/authenticate', {
        guest_credential: random(32),
      }),
    async passkey(appId) {
      const page = new Client(world, { appId })
      const { body } = await page.post('passkeys/register/init', { relying_party: site })
      const made = await createAuthenticator().register(body.options, site)
      return page.post('passkeys/register', { relying_party: site, authenticator_response: made })
    },
    async 'custom JWT'(appId) {
      const token = await jwt.sign(newName('person'), world.clock.now)
      return new Client(world, { appId }).post('custom_jwt_account/authenticate', { token })
    },
  }

  async function logIn(method: string, appId: string): Promise<Answer> {
    const login = logins[method]
    if (!login) throw new Error(`There is no login by ${method}`)
    return login(appId)
  }
  /** The user on the device that makes the wallet, and that device's view of a thief with the token and a key of their own. */
  async function begin(of: World, appId: string, { status, body, text }: Answer) {
    if (status !== 200) throw new Error(`No login: ${status} ${text}`)
    const first = new Vault(of, { appId, origin: vaultOrigin })
    first.token = body.token
    first.userId = body.user.id
    expect((await first.enrol()).status).toBe(200)
    const root = await first.create()
    return { first, root }
  }
  /** All that a token, a key and the forged header of the vault get. */
  async function attack(of: World, begun: Awaited<ReturnType<typeof begin>>, method: string) {
    const { first, root } = begun
    const thief = first.elsewhere()
    for (const wait of [0, 14, 14]) {
      of.clock.pass(minutes(wait))
      expect(verdict(await thief.enrol())).toEqual(needed)
      expect(verdict(await first.elsewhere().enrol())).toEqual(needed)
    }
    for (const call of ['recovery/package', 'recovery/key_material'])
      expect(verdict(await thief.post(`${path(root)}/${call}`))).toEqual(unknown)
    const share = await thief.post(`${path(root)}/auth_share`, { set_ids: [root.setId] })
    expect(verdict(share)).toEqual(unknown)
    expect(verdict(await thief.enrol({ factor: 'mfa' }))).toEqual([400, 'missing_mfa_enrollment'])
    const { kinds } = (await first.page().post('devices/proofs')).body
    if (noProof.includes(method)) expect(kinds).toEqual([])
    else expect(kinds).toHaveLength(1)
    const { factors } = (await thief.post('devices/enroll/options')).body
    expect(factors.map(({ type }: { type: string }) => type)).toEqual(['device', ...kinds])
    // The user's own device goes on.
    expect((await first.post(`${path(root)}/recovery/package`)).status).toBe(200)
  }

  test.each(Object.keys(logins))(
    'strict: a %s login’s token and a key of one’s own enrol no device beside a wallet',
    async (method) => {
      const begun = await begin(world, strict, await logIn(method, strict))
      await attack(world, begun, method)
    },
  )

  test.each(Object.keys(logins))(
    'compatible: a %s login enrols for fifteen minutes and no longer',
    async (method) => {
      const { first } = await begin(world, compatible, await logIn(method, compatible))
      world.clock.pass(minutes(14))
      expect((await first.elsewhere().enrol()).status).toBe(200)
      world.clock.pass(minutes(1))
      expect(verdict(await first.elsewhere().enrol())).toEqual(needed)
    },
  )

  test('strict: a Farcaster login enrols no device beside a wallet', async () => {
    const outside = await startFarcasterWorld(store)
    try {
      const page = new FarcasterClient(outside)
      const begun = await begin(outside, farcasterApp, await page.enter(outside, 1_001))
      await attack(outside, begun, 'farcaster')
    } finally {
      await outside.stop()
    }
  })

  test.each(['google', 'github', 'twitter'])(
    'strict: a %s login enrols no device beside a wallet',
    async (provider) => {
      const appId = 'latchkey-test-logins-0003'
      const outside = await startOAuthWorld(store, (providers) => [oauthApp(providers, { id: appId })])
      try {
        const page = new OAuthClient(outside, { appId })
        const { first, root } = await begin(outside, appId, await page.logInWith(provider, newName()))
        const thief = first.elsewhere()
        expect(verdict(await thief.enrol())).toEqual(needed)
        expect(verdict(await thief.post(`${path(root)}/recovery/package`))).toEqual(unknown)
        const { factors } = (await thief.post('devices/enroll/options')).body
        expect(factors[1]).toMatchObject({ type: 'provider', provider, id: expect.stringMatching(/^\d+$/) })
      } finally {
        await outside.stop()
      }
    },
  )

  test('of a key that enrols and a first wallet that is made at once, only the wallet’s own device is left', async () => {
    for (let round = 0; round < 5; round++) {
      const { body } = await logIn('guest', strict)
      const first = new Vault(world, { appId: strict, origin: vaultOrigin })
      first.token = body.token
      first.userId = body.user.id
      await first.enrol()
      const thieves = Array.from({ length: 4 }, () => first.elsewhere())
      await Promise.all(thieves.map((thief) => thief.post('devices/enroll/options')))
      const [root] = await Promise.all([first.create(), ...thieves.map((thief) => thief.enrol())])
      for (const thief of thieves)
        expect(verdict(await thief.post(`${path(root)}/recovery/package`))).toEqual(unknown)
      expect((await first.post(`${path(root)}/recovery/package`)).status).toBe(200)
    }
  })

  /** External wallets as proofs. */
  describe('an external wallet', () => {
    type Wallet = {
      vault: Vault
      root: Awaited<ReturnType<Vault['create']>>
      sign(message: string): Promise<string>
    }
    async function withWallet(kind: 'siwe' | 'siws'): Promise<Wallet & { address: string }> {
      const page = new WalletClient(world, { appId: strict })
      if (kind === 'siwe') {
        const account = newAccount()
        const { first, root } = await begin(
          world,
          strict,
          await page.enter('siwe', await page.signed(account)),
        )
        return {
          vault: first,
          root,
          address: account.address,
          sign: (message) => account.signMessage({ message }),
        }
      }
      const account = newSolanaAccount()
      const { first, root } = await begin(world, strict, await page.enter('siws', await page.solana(account)))
      return { vault: first, root, address: account.address, sign: async (message) => account.sign(message) }
    }
    async function message(vault: Vault): Promise<{ id: string; message: string }> {
      const { factors } = (await vault.post('devices/enroll/options')).body
      const { id } = factors.find(({ type }: { type: string }) => type === 'wallet')
      const { status, body, text } = await vault.post('devices/enroll/wallet', { id })
      if (status !== 200) throw new Error(`No message: ${status} ${text}`)
      return { id, message: body.message }
    }
    const wrong = [401, 'invalid_credentials']

    test.each(['siwe', 'siws'] as const)(
      'enrols a key by a signature of the server’s message (%s)',
      async (kind) => {
        const { vault, root, sign, address } = await withWallet(kind)
        const chrome =
          'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
        const next = vault.elsewhere({ headers: { 'user-agent': chrome } })
        const { id, message: text } = await message(next)
        const lines = text.split('\n')
        const chain = kind === 'siwe' ? 'Ethereum' : 'Solana'
        expect(lines.slice(0, 3)).toEqual([
          `${new URL(vaultOrigin).host} wants you to sign in with your ${chain} account:`,
          address,
          '',
        ])
        expect(lines[3]).toContain('Chrome on Windows')
        expect(lines[3]).toContain(next.key.thumbprint)
        expect(text).toContain(`URI: ${vaultOrigin}`)
        expect((await next.enrol({ factor: 'wallet', id, signature: await sign(text) })).status).toBe(200)
        expect((await next.post(`${path(root)}/recovery/package`)).status).toBe(200)
      },
    )

    test('signs for one key, session and user, once', async () => {
      const { vault, sign } = await withWallet('siwe')
      const [next, thief] = [vault.elsewhere(), vault.elsewhere()]
      const { id, message: text } = await message(next)
      const signature = await sign(text)
      const showing = { factor: 'wallet', id, signature }
      expect(verdict(await thief.enrol(showing))).toEqual(wrong)
      await message(thief)
      // It could be the signature of a contract, and no node of that chain is set.
      expect(verdict(await thief.enrol(showing))).toEqual([400, 'not_supported'])
      const { vault: stranger } = await withWallet('siwe')
      expect(verdict(await stranger.elsewhere().enrol(showing))).toEqual(wrong)
      const answers = await Promise.all([next.enrol(showing), next.enrol(showing)])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      // An earlier message of the same key is no longer good.
      const other = vault.elsewhere()
      const early = await message(other)
      await message(other)
      expect(
        verdict(await other.enrol({ factor: 'wallet', id, signature: await sign(early.message) })),
      ).toEqual([400, 'not_supported'])
    })

    test('enrols nobody by another text, another wallet, late, turned over or in another form', async () => {
      const { vault, root, sign } = await withWallet('siwe')
      const other = newAccount()
      const login = createSiweMessage({
        domain: new URL(site).host,
        address: other.address,
        uri: site,
        version: '1',
        chainId: 1,
        nonce: 'a1b2c3d4e5f6',
      })
      const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
      const turned = (signature: string) => {
        const s = order - BigInt(`0x${signature.slice(66, 130)}`)
        const v = signature.endsWith('1b') ? '1c' : '1b'
        return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}`
      }
      const attempts: ((text: string) => Promise<string>)[] = [
        () => sign(login),
        (text) => sign(`${text}\n`),
        (text) => sign(text.replace('http://localhost:4802', site)),
        (text) => other.signMessage({ message: text }),
        async (text) => turned(await sign(text)),
        async () => '0x00',
        async () => 'x',
        async (text) => {
          const signature = await sign(text)
          world.clock.pass(minutes(10))
          return signature
        },
      ]
      for (const attempt of attempts) {
        const next = vault.elsewhere()
        const { id, message: text } = await message(next)
        const { status } = await next.enrol({ factor: 'wallet', id, signature: await attempt(text) })
        // 400: no chain could say whether it is the signature of a contract.
        expect([400, 401]).toContain(status)
        expect(verdict(await next.post(`${path(root)}/recovery/package`))).toEqual(unknown)
      }
    })

    test('that is a contract enrols a key where its chain says that it has signed, and by nothing else', async () => {
      const { vault, root } = await withWallet('siwe')
      await world.backend.database
        .update(accounts)
        .set({ details: { chainId: 10, clientType: null, connectorType: null } })
        .where(and(eq(accounts.userId, vault.userId), eq(accounts.type, 'ethereum-wallet')))
      const next = vault.elsewhere()
      const attempt = async (signature: string) => {
        const { id, message: text } = await message(next)
        const first = await next.enrol({ factor: 'wallet', id, signature })
        return { first, text, again: () => next.enrol({ factor: 'wallet', id, signature }) }
      }
      node.says = 'no'
      expect(verdict((await attempt('0x1234')).first)).toEqual(wrong)
      // A chain that is down uses up nothing.
      node.says = 'down'
      const { first, text, again } = await attempt('0x1234')
      expect(verdict(first)).toEqual([400, 'invalid_state'])
      expect(text).toContain('Chain ID: 10')
      expect(verdict(await next.post(`${path(root)}/recovery/package`))).toEqual(unknown)
      node.says = 'yes'
      expect((await again()).status).toBe(200)
      expect((await next.post(`${path(root)}/recovery/package`)).status).toBe(200)
    })

    test('that was linked after the wallet, or is another user’s, has no message', async () => {
      const { vault } = await withWallet('siwe')
      const { vault: stranger } = await withWallet('siwe')
      const { id } = await message(stranger.elsewhere())
      expect(verdict(await vault.elsewhere().post('devices/enroll/wallet', { id }))).toEqual([
        404,
        'linked_account_not_found',
      ])
    })
  })
})
