import type { World } from './world.ts'
import { openApp, site } from './world.ts'

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: what the tests look into is the wire's JSON, whatever it may be
  body: any
  text: string
  headers: Headers
}
export interface ClientOptions {
  appId?: string
  /** `null`: a call from no page. */
  origin?: string | null
  /** `true`: our kit, which lets the server keep the refresh token in a cookie. */
  kit?: boolean
  ip?: string
  headers?: Record<string, string>
}
type Named = Record<string, string>

let addresses = 0
/** An address in the network that nobody had before, so that the limits of one test do not reach the next. */
export const newIp = () => `10.${(++addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`

/** A browser with one page of an app: origin, cookies, network address. */
export class Client {
  readonly cookies = new Map<string, string>()
  readonly ip: string
  token: string | undefined

  constructor(
    readonly world: Pick<World, 'backend' | 'mailbox'>,
    readonly options: ClientOptions = {},
  ) {
    this.ip = options.ip ?? newIp()
  }

  get appId() {
    return this.options.appId ?? openApp
  }

  headers(more: Named = {}): Named {
    const { origin = site, kit, headers } = this.options
    return {
      'content-type': 'application/json',
      'privy-app-id': this.appId,
      'privy-client': 'test:1',
      'privy-ca-id': '',
      ...(origin !== null && { origin }),
      ...(kit && { 'latchkey-session': 'cookie', 'sec-fetch-site': 'same-site' }),
      ...(this.token && { authorization: `Bearer ${this.token}` }),
      ...(this.cookies.size > 0 && {
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      }),
      ...headers,
      ...more,
    }
  }

  async request(path: string, init: RequestInit & { headers: Named }, keepCookies = true): Promise<Answer> {
    const connection = { incoming: { socket: { remoteAddress: this.ip } } }
    const response = await this.world.backend.api.request(path, init, connection)
    const text = await response.text()
    if (keepCookies) for (const cookie of response.headers.getSetCookie()) this.keep(cookie)
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      body = undefined
    }
    return { status: response.status, body, text, headers: response.headers }
  }

  post(path: string, body: unknown = {}, headers: Named = {}, keepCookies = true): Promise<Answer> {
    return this.request(
      `/api/v1/${path}`,
      {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: this.headers(headers),
      },
      keepCookies,
    )
  }

  get(path: string, headers: Named = {}): Promise<Answer> {
    return this.request(`/api/v1/${path}`, { method: 'GET', headers: this.headers(headers) })
  }

  /** What the person's log says of their wallets. */
  async releases() {
    const { releases } = (await this.get('embedded_wallets/releases')).body
    return releases.filter(({ address }: { address?: string }) => address !== undefined)
  }

  /** Asks for a code and reads it from the inbox. */
  async codeFor(email: string): Promise<string> {
    const answer = await this.post('passwordless/init', { email })
    if (answer.status !== 200) throw new Error(`No code: ${answer.status} ${answer.text}`)
    return this.lastCode(email)
  }

  lastCode(email: string): string {
    const message = this.world.mailbox.messages().find(({ to, code }) => to === email && code !== '')
    if (!message) throw new Error(`No mail for ${email}`)
    return message.code
  }

  /** A whole login by e-mail; the token is used from then on. */
  async login(email: string, mode?: string): Promise<Answer> {
    const code = await this.codeFor(email)
    const answer = await this.post('passwordless/authenticate', { email, code, ...(mode && { mode }) })
    if (answer.status === 200) this.token = answer.body.token
    return answer
  }

  private keep(cookie: string): void {
    const [pair = '', ...attributes] = cookie.split('; ')
    const at = pair.indexOf('=')
    if (attributes.includes('Max-Age=0')) this.cookies.delete(pair.slice(0, at))
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

/** A code that is not the given one. */
export const otherCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
