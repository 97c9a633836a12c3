import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { analyticsEvents } from '../../../demo/backend/analytics/tables.ts'
import { Client } from '../support/client.ts'
import { newAddress, openApp, startWorld, stores, type World } from '../support/world.ts'

const noEmail = {
  id: 'latchkey-tests-noemail-01',
  name: 'No E-mail',
  methods: ['wallet' as const],
  updatedAt: Date.UTC(2026, 1, 3),
}

describe.each(stores)('an app’s settings on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store, { moreApps: [{ ...noEmail, allowedDomains: ['http://localhost:*'] }] })
  })
  afterAll(() => world?.stop())

  test('are served with every field of the protocol', async () => {
    const { status, body } = await new Client(world).get(`apps/${openApp}`)
    expect(status).toBe(200)
    const flags = Object.fromEntries(
      [
        'require_users_accept_terms show_wallet_login_first wallet_auth solana_wallet_auth sms_auth google_oauth',
        'twitter_oauth discord_oauth github_oauth spotify_oauth instagram_oauth tiktok_oauth linkedin_oauth apple_oauth',
        'farcaster_auth passkey_auth passkeys_for_signup_enabled telegram_auth guest_auth twitter_oauth_on_mobile_enabled',
        'farcaster_link_wallets_enabled disable_plus_emails allowlist_enabled legacy_wallet_ui_config',
        'fiat_on_ramp_enabled captcha_enabled',
      ]
        .flatMap((line) => line.split(' '))
        .map((name) => [name, false]),
    )
    const on = ['wallet', 'solana_wallet', 'sms', 'passkey', 'farcaster', 'guest'].map(
      (name) => `${name}_auth`,
    )
    const socials = ['google', 'apple', 'github', 'discord'].map((name) => `${name}_oauth`)
    for (const name of [...on, ...socials, 'passkeys_for_signup_enabled']) flags[name] = true
    expect(body).toEqual({
      ...flags,
      // Unmodified clients sign unseen otherwise, where their page sets nothing itself.
      enforce_wallet_uis: true,
      id: openApp,
      name: 'Latchkey Demo',
      vault_mode: 'strict',
      logo_url: null,
      icon_url: null,
      accent_color: '#5B5BD6',
      theme: 'light',
      terms_and_conditions_url: 'https://example.com/terms',
      privacy_policy_url: 'https://example.com/privacy',
      allowed_domains: ['http://localhost:*', 'http://127.0.0.1:*', 'http://*.localhost:*'],
      allowed_native_app_ids: [],
      allowed_native_app_url_schemes: [],
      email_auth: true,
      allowlist_config: { error_title: null, error_detail: null, cta_text: null, cta_link: null },
      wallet_connect_cloud_project_id: '0'.repeat(32),
      custom_api_url: null,
      embedded_wallet_config: {
        create_on_login: 'users-without-wallets',
        ethereum: { create_on_login: 'users-without-wallets' },
        solana: { create_on_login: 'off' },
        mode: 'legacy-embedded-wallets-only',
        user_owned_recovery_options: [],
        require_user_owned_recovery_on_create: false,
        require_user_password_on_create: false,
        device_proof: 'optional',
      },
      delegates: [
        {
          address: '0xe6Cae83BdE06E4c305530e199D7217f42808555B',
          name: 'Simple7702Account',
          executes_batches: true,
        },
      ],
      mfa_methods: ['sms', 'totp', 'passkey'],
      funding_config: {
        default_recommended_currency: { chain: 'eip155:8453', asset: 'native-currency' },
        default_recommended_amount: '0.02',
        methods: ['moonpay', 'coinbase-onramp', 'external'],
        options: [
          { method: 'card', provider: 'moonpay' },
          { method: 'card', provider: 'coinbase' },
          { method: 'exchange', provider: 'coinbase' },
          { method: 'wallets', provider: '' },
        ],
        prompt_funding_on_wallet_creation: false,
        cross_chain_bridging_enabled: true,
        // Their keys come with the addresses of the demo.
        providers: [],
      },
      verification_key: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----/),
      max_linked_wallets_per_user: null,
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    })
    const config = async (appId: string) => (await new Client(world, { appId }).get(`apps/${appId}`)).body
    expect(await config('latchkey-demo-invite-0003')).toMatchObject({
      allowlist_enabled: true,
      allowlist_config: { error_title: 'Not on the list yet', cta_link: 'https://example.com/queue' },
    })
    expect(await config('latchkey-demo-captcha-007')).toMatchObject({
      captcha_enabled: true,
      captcha_site_key: 't:1x00000000000000000000AA',
    })
    expect((await config('latchkey-demo-nowallet-08')).embedded_wallet_config.create_on_login).toBe('off')
  })

  test('updated_at: when the settings changed last, which is not when the app was made', async () => {
    const { body } = await new Client(world, { appId: noEmail.id }).get(`apps/${noEmail.id}`)
    expect(body.created_at).toBe(Date.UTC(2025, 0, 1) / 1_000)
    expect(body.updated_at).toBe(Date.UTC(2026, 1, 3) / 1_000)
  })

  test('createOnLogin: an app that does not set it creates no wallets', async () => {
    const config = (await new Client(world, { appId: noEmail.id }).get(`apps/${noEmail.id}`)).body
    expect(config.embedded_wallet_config.create_on_login).toBe('off')
  })

  test('an app with an allowlist turns others away before any code is sent', async () => {
    const client = new Client(world, { appId: 'latchkey-demo-invite-0003' })
    const refused = await client.post('passwordless/init', { email: newAddress() })
    expect([refused.status, refused.body.code]).toEqual([401, 'allowlist_rejected'])
    const tried = await client.post('passwordless/authenticate', { email: newAddress(), code: '123456' })
    expect([tried.status, tried.body.code]).toEqual([401, 'allowlist_rejected'])
    expect((await client.login('ada@example.com')).status).toBe(200)
    expect((await client.login('anybody@invited.example')).status).toBe(200)
  })

  test('an app with room for one lets one in, also when many come at once', async () => {
    const everybody = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const client = new Client(world, { appId: 'latchkey-demo-limit-00004' })
        const email = newAddress()
        return { client, email, code: await client.codeFor(email) }
      }),
    )
    const answers = await Promise.all(
      everybody.map(({ client, email, code }) => client.post('passwordless/authenticate', { email, code })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of answers.filter((answer) => answer.status !== 200))
      expect([status, body.code]).toEqual([403, 'max_accounts_reached'])
    const inside = everybody[answers.findIndex(({ status }) => status === 200)]
    expect((await inside?.client.login(inside.email))?.status).toBe(200)
  })

  test('an app without sign-up says so after the code was right', async () => {
    const client = new Client(world, { appId: 'latchkey-demo-nosign-0005' })
    const refused = await client.login(newAddress())
    expect([refused.status, refused.body.code]).toEqual([403, 'signup_disabled'])
    const unknown = await client.login(newAddress(), 'no-signup')
    expect([unknown.status, unknown.body.code]).toEqual([400, 'user_does_not_exist'])
  })

  test('plus addresses and e-mail as a whole can be switched off', async () => {
    const plain = new Client(world, { appId: 'latchkey-demo-noplus-0006' })
    const email = newAddress().replace('@', '+tag@')
    const plus = await plain.post('passwordless/init', { email })
    expect([plus.status, plus.body.code]).toEqual([400, 'disallowed_plus_email'])
    const late = await plain.post('passwordless/authenticate', { email, code: '123456' })
    expect([late.status, late.body.code]).toEqual([400, 'disallowed_plus_email'])
    expect((await new Client(world).login(email)).status).toBe(200)
    const off = await new Client(world, { appId: noEmail.id }).post('passwordless/init', {
      email: newAddress(),
    })
    expect([off.status, off.body.code]).toEqual([403, 'disallowed_login_method'])
  })

  test('terms are accepted once and stay so', async () => {
    const client = new Client(world, { appId: 'latchkey-demo-terms-00002' })
    const email = newAddress()
    await client.login(email)
    const accepted = await client.post('users/me/accept_terms')
    expect([accepted.status, accepted.body.has_accepted_terms]).toEqual([200, true])
    expect((await client.login(email)).body.user.has_accepted_terms).toBe(true)
    const nobody = await new Client(world).post('users/me/accept_terms')
    expect([nobody.status, nobody.body.code]).toEqual([401, 'missing_or_invalid_token'])
  })

  test('keeps of an analytics event only what says nothing about a person', async () => {
    const client = new Client(world)
    const email = newAddress()
    const clientId = 'a2a0e4b4-7a7d-4a6b-9e0b-0c1d2e3f4a5b'
    const event = {
      event_name: 'modal_open',
      client_id: clientId,
      payload: {
        initialScreen: 'LANDING',
        chainId: 'eip155:1',
        value: 12.5,
        method: email,
        provider: 'https://example.com/?token=1',
        code: '123456',
        email,
        address: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
        clientTimestamp: '2026-01-15T12:00:00.000Z',
      },
    }
    const answer = await client.post('analytics_events', event)
    expect([answer.status, answer.text]).toEqual([200, 'null'])
    expect(
      (await client.post('analytics_events', { event_name: `${email} came`, client_id: email })).text,
    ).toBe('null')
    expect((await client.post('analytics_events', { event_name: 'e'.repeat(256) })).status).toBe(400)
    const rows = await world.backend.database.select().from(analyticsEvents)
    const stored = rows.filter(({ name }) => name === 'modal_open')
    expect(stored).toMatchObject([{ appId: openApp, clientId }])
    expect(stored[0]?.payload).toEqual({
      initialScreen: 'LANDING',
      chainId: 'eip155:1',
      value: 12.5,
      clientTimestamp: Date.parse('2026-01-15T12:00:00.000Z'),
    })
    expect(JSON.stringify(rows)).not.toContain(email)
  })
})
