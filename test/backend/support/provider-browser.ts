/** What a browser does next with the provider's answer: a GET, or the POST of Apple's form. */
export interface Returned {
  method: 'GET' | 'POST'
  url: string
  /** What the provider returned, in the query or in the body. */
  fields: URLSearchParams
}

const unsafe = (html: string) => html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

/** One browser with its cookies, which reads no page but forms. */
export class ProviderBrowser {
  private readonly cookies = new Map<string, Map<string, string>>()

  /** Goes to a provider's sign-in page. */
  async open(url: string): Promise<{ url: string; status: number; html: string }> {
    let at = url
    for (let hop = 0; hop < 8; hop++) {
      const answer = await this.fetch(at)
      const next = answer.headers.get('location')
      if (!next) return { url: at, status: answer.status, html: await answer.text() }
      at = new URL(next, at).href
      if (new URL(at).origin !== new URL(url).origin) throw new Error(`Sent away at once: ${at}`)
    }
    throw new Error(`No end of redirects at ${url}`)
  }

  /** Signs in, or presses 'Deny' for `null`, and says where the provider sends the person. */
  async answer(page: { url: string; html: string }, login: string | null): Promise<Returned> {
    const action = /<form method="post" action="([^"]+)"/.exec(page.html)?.[1]
    if (!action) throw new Error(`No form on ${page.url}: ${page.html}`)
    const home = new URL(page.url).origin
    let at = new URL(unsafe(action), page.url).href
    let answer = await this.fetch(at, {
      method: 'POST',
      body: new URLSearchParams(login === null ? { answer: 'deny' } : { login, answer: 'allow' }),
    })
    for (let hop = 0; hop < 8; hop++) {
      const next = answer.headers.get('location')
      if (!next) return posted(await answer.text())
      at = new URL(next, at).href
      if (new URL(at).origin !== home) return { method: 'GET', url: at, fields: new URL(at).searchParams }
      answer = await this.fetch(at)
    }
    throw new Error(`No end of redirects at ${page.url}`)
  }

  /** The whole visit. */
  async visit(url: string, login: string | null): Promise<Returned> {
    return this.answer(await this.open(url), login)
  }

  private async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(url)
    const cookie = [...this.cookies]
      .filter(([path]) => pathname.startsWith(path))
      .flatMap(([, values]) => [...values].map(([name, value]) => `${name}=${value}`))
      .join('; ')
    const answer = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ')
      const path = attributes.find((one) => one.toLowerCase().startsWith('path='))?.slice(5) ?? '/'
      const at = pair.indexOf('=')
      const jar = this.cookies.get(path) ?? new Map<string, string>()
      this.cookies.set(path, jar.set(pair.slice(0, at), pair.slice(at + 1)))
    }
    return answer
  }
}

function posted(html: string): Returned {
  const url = /<form method="post" action="([^"]+)"/.exec(html)?.[1]
  if (!url || !URL.canParse(url)) throw new Error(`The provider did not send the person on: ${html}`)
  const fields = new URLSearchParams()
  for (const [, name = '', value = ''] of html.matchAll(/name="([^"]+)" value="([^"]*)"/g))
    fields.set(unsafe(name), unsafe(value))
  return { method: 'POST', url: unsafe(url), fields }
}
