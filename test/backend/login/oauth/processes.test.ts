import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crowd } from '../../../support/soak.ts'
import {
  everyApp,
  newName,
  oauthApp,
  type Providers,
  random,
  s256,
  startProviders,
} from '../../support/oauth-world.ts'
import { ProviderBrowser } from '../../support/provider-browser.ts'
import { postFrom, type ServerProcesses, startServerProcesses } from '../../support/server-processes.ts'
import { apiUrl, site } from '../../support/world.ts'

const server = process.env.TEST_DATABASE_URL

/** Both processes are one API to the outside: providers know one address, with a load balancer behind it. */
describe.skipIf(!server)('OAuth at two server processes on one PostgreSQL', () => {
  let providers: Providers
  let servers: ServerProcesses

  beforeAll(async () => {
    providers = await startProviders()
    servers = await startServerProcesses(server ?? '', {
      apps: [oauthApp(providers)],
      env: {
        API_URL: apiUrl,
        OUTSIDE: JSON.stringify({ oauth: providers.endpoints }),
        LIMITS: '{"startsPerIpMinute":1000,"startsPerIpHour":1000}',
      },
    })
  })
  afterAll(async () => {
    await servers?.stop()
    await providers?.stop()
  })

  const postAs = postFrom(everyApp)
  const post = (base: string, path: string, body: object, token = '') =>
    postAs(base, path, body, token ? { authorization: `Bearer ${token}` } : {})

  /** Begins at the first process; the provider's answer is still on its way. */
  async function begin(provider: string, login: string) {
    const [state, verifier] = [random(), random()]
    const { body } = await post(servers.bases[0], 'oauth/init', {
      provider,
      redirect_to: site,
      state_code: state,
      code_challenge: s256(verifier),
    })
    const { url } = await new ProviderBrowser().visit(body.url, login)
    const { pathname, search } = new URL(url)
    return { answer: pathname + search, state, verifier }
  }
  async function comeBack(base: string, answer: string) {
    const response = await fetch(`${base}${answer}`, { redirect: 'manual' })
    const location = response.headers.get('location')
    return location ? (new URL(location).searchParams.get('privy_oauth_code') ?? '') : undefined
  }
  /** Ends at the second process. */
  async function ready(provider: string, login: string) {
    const begun = await begin(provider, login)
    return {
      authorization_code: (await comeBack(servers.bases[1], begun.answer)) ?? '',
      state_code: begun.state,
      code_verifier: begun.verifier,
    }
  }

  test(`let one of ${crowd} parallel returns with one provider state through`, async () => {
    const { answer, state, verifier } = await begin('google', newName())
    const codes = (await servers.atOnce((base) => comeBack(base, answer))).filter(
      (code) => code !== undefined,
    )
    expect(codes).toHaveLength(1)
    const login = await post(servers.bases[0], 'oauth/authenticate', {
      authorization_code: codes[0],
      state_code: state,
      code_verifier: verifier,
    })
    expect(login.status).toBe(200)
    console.log(`two processes: ${crowd} parallel returns with one OAuth state: 1 listened to`)
  })

  test(`let one of ${crowd} parallel uses of a code win`, async () => {
    const body = await ready('discord', newName())
    const answers = await servers.atOnce((base) => post(base, 'oauth/authenticate', body))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const others = answers.filter(({ status }) => status !== 200)
    expect(new Set(others.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['401 invalid_credentials']),
    )
    console.log(`two processes: ${crowd} parallel uses of one OAuth code: 1 winner`)
  })

  test(`let one of ${crowd} parallel transfers with one nonce win`, async () => {
    const login = newName()
    await post(servers.bases[0], 'oauth/authenticate', await ready('google', login))
    const { body } = await post(servers.bases[0], 'oauth/authenticate', await ready('discord', newName()))
    const { data } = (await post(servers.bases[1], 'oauth/link', await ready('google', login), body.token))
      .body
    const transfer = { nonce: data.nonce, userInfo: data.otherUser.oAuthUserInfo }
    const answers = await servers.atOnce((base) => post(base, 'oauth/transfer', transfer, body.token))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    console.log(`two processes: ${crowd} parallel uses of one transfer nonce: 1 winner`)
  })

  test('make one user of a person who comes through both at once', async () => {
    const login = newName()
    const [one, two] = await Promise.all([ready('github', login), ready('github', login)])
    const answers = await Promise.all([
      post(servers.bases[0], 'oauth/authenticate', one),
      post(servers.bases[1], 'oauth/authenticate', two),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1)
  })
})
