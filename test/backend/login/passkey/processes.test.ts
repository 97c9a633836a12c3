import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AppSettings } from '../../../../demo/backend/settings/demo-apps.ts'
import { createAuthenticator, newCredentialId } from '../../../support/authenticator.ts'
import { crowd } from '../../../support/soak.ts'
import { postFrom, type ServerProcesses, startServerProcesses } from '../../support/server-processes.ts'
import { site } from '../../support/world.ts'

const server = process.env.TEST_DATABASE_URL
const app = {
  id: 'latchkey-test-passkeys-06',
  name: 'Passkeys',
  allowedDomains: [site],
  methods: ['passkey', 'passkey-signup'],
} satisfies AppSettings
const here = { relying_party: site }

describe.skipIf(!server)('passkeys at two server processes on one PostgreSQL', () => {
  let servers: ServerProcesses

  beforeAll(async () => {
    servers = await startServerProcesses(server ?? '', { apps: [app] })
  })
  afterAll(() => servers?.stop())

  const postAs = postFrom(app.id)
  const post = (base: string, path: string, body: object) => postAs(base, `passkeys/${path}`, body)
  /** The same request of a whole crowd; how each was answered. */
  async function atOnce(path: string, body: object) {
    const answers = await servers.atOnce((base) => post(base, path, body))
    return answers.map(({ status, body }) => `${status} ${body.code ?? 'welcome'}`).sort()
  }
  const oneWinner = ['200 welcome', ...Array(crowd - 1).fill('401 invalid_credentials')]

  test(`let one of ${crowd} parallel uses of a challenge win`, async () => {
    const authenticator = createAuthenticator()
    const begun = await post(servers.bases[0], 'register/init', here)
    const made = await authenticator.register(begun.body.options, site)
    expect(await atOnce('register', { ...here, authenticator_response: made })).toEqual(oneWinner)

    const { body } = await post(servers.bases[1], 'authenticate/init', here)
    const signed = await authenticator.login(body.options, site)
    const login = { ...here, challenge: body.options.challenge, authenticator_response: signed }
    expect(await atOnce('authenticate', login)).toEqual(oneWinner)
    console.log(`two processes: ${crowd} parallel uses of one passkey challenge: 1 winner`)
  })

  test('make one user of a credential that is brought to both at once', async () => {
    const id = newCredentialId()
    const answers = await Promise.all(
      servers.bases.map(async (base) => {
        const { body } = await post(base, 'register/init', here)
        const response = await createAuthenticator().register(body.options, site, { id })
        return post(base, 'register', { ...here, authenticator_response: response })
      }),
    )
    expect(answers.map(({ status, body }) => `${status} ${body.code ?? 'welcome'}`).sort()).toEqual([
      '200 welcome',
      '401 invalid_credentials',
    ])
  })
})
