import { untilAborted } from './abort.ts'
import { type Clock, TimedOut, within } from './clock.ts'
import type { Page } from './page.ts'

/** A script that neither loads nor fails is given up after this, in milliseconds. */
const PATIENCE = 15_000

/** Why a third party's script is not available. */
export class ScriptError extends Error {
  override name = 'ScriptError'
  constructor(
    readonly reason: 'refused' | 'failed' | 'timeout',
    options?: ErrorOptions,
  ) {
    super(`The script was ${reason === 'timeout' ? 'not there in time' : reason}`, options)
  }
}

interface LoadOptions {
  clock: Clock
  signal?: AbortSignal | undefined
  /** Whether what the script defines exists, no matter who loaded it. */
  ready: () => boolean
  attributes?: Readonly<Record<string, string>>
}

/** Module state, because it belongs to the page: each address is loaded once, whichever kit asks. */
const loading = new WeakMap<Document, Map<string, Promise<void>>>()

/**
 * Loads a third party's classic script into the page. A page that enforces Trusted Types must allow the
 * policy `latchkey`. Throws {@link ScriptError}: 'refused' by the page's policy, 'failed' to load, or
 * 'timeout'; or the signal's reason. A failure is not kept: the next call tries again.
 */
export async function loadScript(page: Page, address: string, options: LoadOptions): Promise<void> {
  if (options.ready()) return
  const { document } = page.window
  const scripts = loading.get(document) ?? new Map<string, Promise<void>>()
  loading.set(document, scripts)
  const load =
    scripts.get(address) ??
    insert(document, address, options).catch((cause: unknown) => {
      scripts.delete(address)
      throw cause
    })
  scripts.set(address, load)
  await untilAborted(load, options.signal)
  if (!options.ready()) {
    scripts.delete(address)
    throw new ScriptError('failed')
  }
}

async function insert(document: Document, address: string, { clock, attributes = {} }: LoadOptions) {
  const script = document.createElement('script')
  script.async = true
  for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value)
  try {
    script.src = trusted(document, address)
  } catch (cause) {
    throw new ScriptError('refused', { cause })
  }
  const over = new AbortController()
  const once = { once: true, signal: over.signal }
  const loaded = new Promise<void>((resolve, reject) => {
    script.addEventListener('load', () => resolve(), once)
    script.addEventListener('error', () => reject(new ScriptError('failed')), once)
    document.addEventListener(
      'securitypolicyviolation',
      ({ blockedURI, disposition }) => {
        if (blockedURI === script.src && disposition === 'enforce') reject(new ScriptError('refused'))
      },
      { signal: over.signal },
    )
  })
  document.head.append(script)
  try {
    await within(clock, PATIENCE, () => loaded)
  } catch (cause) {
    script.remove()
    throw cause instanceof TimedOut ? new ScriptError('timeout', { cause }) : cause
  } finally {
    over.abort()
  }
}

interface Factory {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): {
    createScriptURL(url: string): string
  }
}
const policies = new WeakMap<Document, ReturnType<Factory['createPolicy']>>()

/** The address in the form that Trusted Types require; only addresses set by the app or its host get here. */
function trusted(document: Document, address: string): string {
  const { trustedTypes } = (document.defaultView ?? {}) as { trustedTypes?: Factory }
  if (!trustedTypes) return address
  const policy =
    policies.get(document) ?? trustedTypes.createPolicy('latchkey', { createScriptURL: (url) => url })
  policies.set(document, policy)
  return policy.createScriptURL(address)
}
