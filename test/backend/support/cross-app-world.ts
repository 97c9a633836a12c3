import { Client } from './client.ts'
import { Vault } from './embedded-world.ts'
import { OAuthClient } from './oauth-world.ts'
import { site, type World } from './world.ts'

/** Apps of which one asks wallets of others; `friend` takes requests of two. */
export const asking = 'latchkey-test-trans-askin'
export const second = 'latchkey-test-trans-secon'
const stranger = 'latchkey-test-trans-stran'
export const friend = 'latchkey-test-trans-frien'
export const readOnly = 'latchkey-test-trans-reado'
export const pageless = 'latchkey-test-trans-pagel'
export const transactUrl = 'https://friend.example/transact?app=friend'
const common = { allowedDomains: [site], redirectUrls: [`${site}/*`], methods: ['email' as const] }
export const crossApp = { authorizeUrl: 'https://friend.example/connect', requesters: [asking, second] }
export const signature = `0x${'ab'.repeat(65)}`
export const hash = `0x${'cd'.repeat(32)}`
export const evil = 'https://evil.example'

export const apps = [
  { ...common, id: asking, name: 'Asking & Co', iconUrl: 'https://asking.example/icon.png' },
  { ...common, id: second, name: 'Second', allowedDomains: ['https://second.example'] },
  { ...common, id: stranger, name: 'Stranger' },
  { ...common, id: friend, name: 'Friend', crossApp: { ...crossApp, transactUrl } },
  { ...common, id: readOnly, name: 'Read Only', crossApp: { ...crossApp, transactUrl, readOnly: true } },
  { ...common, id: pageless, name: 'Pageless', crossApp },
]

/** A request as an app sends it; what is absent is as it should be. */
export interface Asked {
  token?: string
  method?: string
  params?: unknown
  timestamp?: unknown
  callbackUrl?: unknown
  /** In the place of the whole JSON. */
  request?: string
}

/** A user whose wallet another app asks, and the token that it has. */
export interface Owner {
  readonly vault: Vault
  readonly page: Client
  readonly address: string
  readonly token: string
}

/** Apps that ask the wallets of others' users, as far as servers see it. */
export function crossAppWorld(world: () => World) {
  /** Creates a user of an app with a wallet, and the token that another app has for them. */
  async function owner(appId = friend, requester = asking): Promise<Owner> {
    const vault = await Vault.open(world(), { appId })
    const { key } = await vault.create()
    return { vault, page: vault.page(), address: key.address, token: await tokenFor(vault, requester) }
  }

  /** Logs in at another app with the account of this one. */
  async function tokenFor(vault: Vault, requester: string): Promise<string> {
    const provider = `privy:${vault.appId}`
    const origin = requester === second ? 'https://second.example' : site
    const client = new OAuthClient(world(), { appId: requester, origin })
    const begun = await client.begin(provider)
    const query = new URL(begun.url).searchParams
    const grant = {
      redirect_to: query.get('redirect_uri'),
      state: query.get('state'),
      code_challenge: query.get('code_challenge'),
    }
    const page = vault.page()
    const allow = () => call(page, 'authorization_code', grant)
    await vault.approved(allow())
    const { url } = (await allow()).body
    const back = await client.comeBack({ method: 'GET', url, fields: new URL(url).searchParams })
    const login = await client.authenticate(begun, back, { provider })
    return login.body.oauth_tokens.access_token
  }

  const call = (client: Client, path: string, body: object) =>
    client.request(`/oauth/${path}`, {
      method: 'POST',
      headers: client.headers(),
      body: JSON.stringify(body),
    })
  const visit = (path: string) => new Client(world()).request(path, { method: 'GET', headers: {} })

  /** The address that a window is opened at. */
  function addressOf(who: Owner, given: Asked = {}) {
    const { token = who.token, method = 'personal_sign', params = ['Hello', who.address] } = given
    const { timestamp = world().clock.now, callbackUrl = site } = given
    const content = { request: { request: { method, params } } }
    const request = given.request ?? JSON.stringify({ content, timestamp, callbackUrl })
    return `/oauth/transact?${new URLSearchParams({ token, request })}`
  }
  const open = (who: Owner, given?: Asked) => visit(addressOf(who, given))

  /** Opens a request and gives its id. */
  async function opened(who: Owner, given?: Asked): Promise<string> {
    const { status, headers } = await open(who, given)
    const id = new URL(headers.get('location') ?? 'about:blank').searchParams.get('request_id')
    if (!id) throw new Error(`A request was not opened: ${status}`)
    return id
  }
  const answer = (client: Client, id: string, more: object = { result: signature }) =>
    call(client, 'transact/answer', { request_id: id, ...more })

  /** The message that a page of the server hands over, and to which origin. */
  function messageOf(text: string) {
    const read = (name: string) =>
      new RegExp(` data-${name}="([^"]*)"`).exec(text)?.[1]?.replaceAll('&quot;', '"')
    return { origin: read('origin'), message: JSON.parse(read('message') ?? 'null') }
  }

  return { owner, tokenFor, call, visit, addressOf, open, opened, answer, messageOf }
}
