import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { type Context, Hono } from 'hono'
import { secretKeys, siteKeys } from './keys.ts'

export { ownKeys, secretKeys } from './keys.ts'

/** The vendor's: a token is good for so long, in milliseconds, and has at most so many characters. */
const TOKEN_LIFE = 300_000
const TOKEN_SIZE = 2_048

interface Issued {
  readonly at: number
  readonly until: number
  readonly hostname: string
  readonly action: string
  readonly cdata: string
  /** The vendor answers a repetition under the same key as it answered the first call. */
  spentBy?: string | undefined
}
type Verdict = Record<string, unknown> & { success: boolean; 'error-codes': string[] }

/**
 * Cloudflare Turnstile: script, challenge frame and verification, with the original's addresses, parameters and answers,
 * its dummy keys and a few of our own (`keys.ts`). One thing differs: dummy keys give a new token each time, so that its
 * single use can be seen.
 * @param options.base where it is mounted, such as `http://localhost:4805/captcha`
 */
export function createTurnstile({ base, now = Date.now }: { base: string; now?: () => number }) {
  const tokens = new Map<string, Issued>()
  const script = (name: string) => {
    let text: Promise<string> | undefined
    return async (c: Context) => {
      text ??= compiled(name)
      return c.body(await text, 200, {
        'content-type': 'text/javascript; charset=utf-8',
        'cross-origin-resource-policy': 'cross-origin',
      })
    }
  }

  function issue(given: Record<string, unknown>): { token: string; life: number } | { error: string } {
    const conduct = siteKeys[String(given.sitekey)]
    const tries = Number(given.tries) || 0
    if (!conduct) return { error: '110100' }
    if (conduct.outcome === 'block' || tries < (conduct.failsFirst ?? 0)) return { error: '300030' }
    const life = tries === 0 ? (conduct.firstLife ?? TOKEN_LIFE) : TOKEN_LIFE
    const token = `XXXX.DUMMY.TOKEN.${randomBytes(24).toString('base64url')}`
    const text = (name: string) => String(given[name] ?? '')
    tokens.set(token, {
      at: now(),
      until: now() + life,
      hostname: text('hostname'),
      action: text('action'),
      cdata: text('cdata'),
    })
    return { token, life }
  }

  function verify(given: Record<string, unknown>): Verdict {
    const { secret, response, idempotency_key: key } = given
    if (!secret) return refused('missing-input-secret')
    if (!Object.values(secretKeys).some((known) => known === secret)) return refused('invalid-input-secret')
    if (!response) return refused('missing-input-response')
    if (secret === secretKeys.spent) return refused('timeout-or-duplicate')
    const issued = typeof response === 'string' && response.length <= TOKEN_SIZE && tokens.get(response)
    if (!issued || secret === secretKeys.fails) return refused('invalid-input-response')
    const repeated = typeof key === 'string' && issued.spentBy === key
    if (!repeated && (issued.spentBy !== undefined || now() >= issued.until))
      return refused('timeout-or-duplicate')
    issued.spentBy = typeof key === 'string' ? key : ''
    return {
      success: true,
      'error-codes': [],
      challenge_ts: new Date(issued.at).toISOString(),
      hostname: issued.hostname,
      action: issued.action,
      cdata: issued.cdata,
    }
  }

  const app = new Hono()
    .get('/turnstile/v0/api.js', script('api'))
    .get('/turnstile/v0/frame.js', script('frame'))
    .get('/turnstile/v0/frame', (c) =>
      c.html(framePage, 200, {
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'",
      }),
    )
    .get('/turnstile/v0/frame.css', (c) => c.body(frameStyle, 200, { 'content-type': 'text/css' }))
    .post('/turnstile/v0/challenge', async (c) => c.json(issue(await bodyOf(c))))
    .post('/turnstile/v0/siteverify', async (c) => c.json(verify(await bodyOf(c))))

  return {
    app,
    scriptUrl: `${base}/turnstile/v0/api.js`,
    verifyUrl: `${base}/turnstile/v0/siteverify`,
    /** A token as a widget on that host would get it, for tests without a page. */
    solve: (hostname: string, action: string) => {
      const answer = issue({ sitekey: '1x00000000000000000000AA', hostname, action })
      return 'token' in answer ? answer.token : ''
    },
  }
}

const refused = (code: string): Verdict => ({ success: false, 'error-codes': [code] })

/** A form or JSON, as the vendor takes them. */
async function bodyOf(c: Context): Promise<Record<string, unknown>> {
  if (!c.req.header('content-type')?.startsWith('application/json')) return c.req.parseBody()
  const body: unknown = await c.req.json().catch(() => undefined)
  return typeof body === 'object' && body !== null ? { ...body } : {}
}

async function compiled(name: string): Promise<string> {
  const source = await readFile(join(import.meta.dirname, `browser/${name}.ts`), 'utf8')
  const { code } = await transform(source, { loader: 'ts', format: 'iife', target: 'es2022' })
  return code
}

const framePage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Widget containing a security challenge</title>
<link rel="stylesheet" href="frame.css">
<label hidden><input type="checkbox"> Verify you are human</label>
<script src="frame.js"></script>
</html>`
const frameStyle = `
:root { color-scheme: light dark; font: 14px system-ui, sans-serif }
body { margin: 0 }
label:not([hidden]) { display: flex; gap: 12px; align-items: center; box-sizing: border-box; height: 65px;
  padding: 0 16px; border: 1px solid #8888; background: Canvas; color: CanvasText }
input { width: 24px; height: 24px }
`
