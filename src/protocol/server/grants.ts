/** Acts with permissions from an app's own server. It needs nothing but `fetch` and Web Crypto: Node from 20, Deno, Bun, workers. */
import * as v from 'valibot'
import { canonicalJson } from '../../lib/canonical-json.ts'

/** A transaction of Ethereum. Nonce, gas and fees are the API's to choose. Amounts in wei, in decimal digits or hex. */
export interface EthereumTransaction {
  readonly to: string
  readonly value?: string
  readonly data?: string
  /** 0: legacy; 1: EIP-2930; 2: EIP-1559, as without it where the chain has it. */
  readonly type?: 0 | 1 | 2
}
export interface SendOptions {
  /** The id of the permission, as the page got it from `kit.delegateWallet()`. */
  readonly grant: string
  /** CAIP-2 for Ethereum, such as `eip155:8453`; `solana:mainnet`, `solana:devnet` or `solana:testnet`. */
  readonly chain: string
  /** On Solana the message in base64, without signatures. */
  readonly transaction: EthereumTransaction | string
  /**
   * Your own name for this transaction, 16 to 128 visible characters: the same name with the same transaction is sent once, however
   * often it is asked for.
   */
  readonly idempotencyKey: string
  readonly signal?: AbortSignal
}
/** A use of a permission. */
export interface GrantUse {
  readonly id: string
  readonly at: Date
  readonly chain: string
  readonly target: string
  /** `refused` and `unknown` stay counted: the signed transaction may still be included. */
  readonly status:
    | 'reserved'
    | 'sent'
    | 'unknown'
    | 'refused'
    | 'confirmed'
    | 'failed'
    | 'dropped'
    | (string & {})
  /** Name of the transaction at its chain. */
  readonly hash: string | undefined
}
/** A permission as its user has given it. */
export interface Grant {
  readonly id: string
  readonly address: string
  readonly isActive: boolean
  readonly permission: string
  readonly expiresAt: Date
  readonly uses: number
  readonly maxUses: number | undefined
  /** Amounts used of each asset, in smallest units. */
  readonly spent: readonly {
    readonly chain: string
    readonly asset: string
    readonly inWindow: bigint
    readonly total: bigint
  }[]
  /** The newest first. */
  readonly latest: readonly GrantUse[]
}
export interface GrantsClientOptions {
  /** Address of the API, such as `https://api.example.com`. */
  readonly apiUrl: string
  readonly appId: string
  /** The private key of the signer that the app's settings name: P-256, PKCS #8 in PEM. */
  readonly privateKey: string
  readonly fetch?: typeof fetch
  /** Milliseconds since the epoch. A request expires 30 s later by the API's clock. */
  readonly now?: () => number
}
export interface GrantsClient {
  /**
   * Has the API sign a transaction within a permission, and send it. Repeated by itself where no answer comes; with the same key it is
   * one transaction.
   * @throws {@link GrantError} such as `permission_denied` with its `reason`
   */
  send(options: SendOptions): Promise<GrantUse>
  /** Reads a permission with its amounts and its latest uses. @throws {@link GrantError} */
  status(grant: string, options?: { readonly signal?: AbortSignal }): Promise<Grant>
  /** Permissions that a wallet has given to this signer, the newest first. @throws {@link GrantError} */
  find(
    given: { readonly permission: string; readonly address: string },
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly Grant[]>
}

/** A request that the API has refused, or that it gave no answer to. */
export class GrantError extends Error {
  override name = 'GrantError'
  constructor(
    /** Such as `permission_denied`, `insufficient_funds`, `resource_conflict`, `invalid_credentials`, or `network_unavailable`. */
    readonly code: string,
    message: string,
    /** Cause of a `permission_denied`, such as `recipient`, `per_window` or `ended`. */
    readonly reason: string | undefined,
    readonly status: number | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

const seconds = v.pipe(
  v.number(),
  v.transform((at) => new Date(at * 1_000)),
)
const units = v.pipe(
  v.string(),
  v.regex(/^\d{1,90}$/),
  v.transform((digits) => BigInt(digits)),
)
const use = v.pipe(
  v.object({
    id: v.string(),
    at: seconds,
    chain: v.string(),
    target: v.string(),
    status: v.string(),
    hash: v.nullable(v.string()),
  }),
  v.transform(({ hash, ...rest }): GrantUse => ({ ...rest, hash: hash ?? undefined })),
)
const grant = v.pipe(
  v.object({
    id: v.string(),
    address: v.string(),
    status: v.string(),
    permission: v.string(),
    not_after: seconds,
    uses: v.number(),
    max_uses: v.nullable(v.number()),
    spent: v.array(v.object({ chain: v.string(), asset: v.string(), in_window: units, total: units })),
    latest: v.array(use),
  }),
  v.transform(
    (raw): Grant => ({
      id: raw.id,
      address: raw.address,
      isActive: raw.status === 'active',
      permission: raw.permission,
      expiresAt: raw.not_after,
      uses: raw.uses,
      maxUses: raw.max_uses ?? undefined,
      spent: raw.spent.map(({ in_window: inWindow, ...rest }) => ({ ...rest, inWindow })),
      latest: raw.latest,
    }),
  ),
)
const failure = v.object({
  code: v.optional(v.string()),
  error: v.optional(v.string()),
  data: v.optional(v.object({ reason: v.optional(v.string()) })),
})

/** How far ahead a request expires; the API takes up to 60 s. */
const LIFE = 30
const ATTEMPTS = 3
const FIRST_DELAY = 500
const TIMEOUT = 60_000

/**
 * Acts with permissions that users have given to a server of an app.
 *
 * @param options the API, the app and the signer's private key
 * @returns the client, which keeps nothing between its calls
 * @example
 * const harbor = createGrantsClient({
 *   apiUrl: 'https://api.example.com',
 *   appId: 'cltx0000000000000000demo1',
 *   privateKey: 'the PEM of your key management',
 * })
 * const { hash, status } = await harbor.send({
 *   grant: '4f9a2a5e-2f43-4a41-9f0a-8a4c8f1b2c3d',
 *   chain: 'eip155:8453',
 *   transaction: { to: '0x2222222222222222222222222222222222222222', value: '1000000000000000' },
 *   idempotencyKey: 'mooring-2026-11-26-berth-7',
 * })
 */
export function createGrantsClient(options: GrantsClientOptions): GrantsClient {
  const { apiUrl, appId, now = Date.now } = options
  const base = apiUrl.replace(/\/+$/, '')
  const request = options.fetch ?? fetch
  let key: Promise<CryptoKey> | undefined

  async function call<T>(
    name: 'transactions' | 'status' | 'find',
    given: Readonly<Record<string, unknown>>,
    schema: v.GenericSchema<unknown, T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    let last: unknown
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (attempt > 0) await pause(FIRST_DELAY * 2 ** (attempt - 1), signal)
      try {
        return await once(`/api/v1/grants/${name}`, given, schema, signal)
      } catch (cause) {
        signal?.throwIfAborted()
        if (!(cause instanceof GrantError) || !isPassing(cause)) throw cause
        last = cause
      }
    }
    throw last
  }

  async function once<T>(
    path: string,
    given: Readonly<Record<string, unknown>>,
    schema: v.GenericSchema<unknown, T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    key ??= readKey(options.privateKey)
    const body = canonicalJson({ ...given, app: appId, expires_at: Math.floor(now() / 1_000) + LIFE })
    const signature = await crypto.subtle.sign(
      { name: 'ECDSA', hash: 'SHA-256' },
      await key,
      new TextEncoder().encode(`POST ${path}\n${body}`),
    )
    const ended = AbortSignal.timeout(TIMEOUT)
    let response: { status: number; text: string }
    try {
      const answer = await request(base + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'latchkey-signature': toBase64url(signature) },
        body,
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, ended]) : ended,
      })
      response = { status: answer.status, text: await answer.text() }
    } catch (cause) {
      throw new GrantError('network_unavailable', 'The API gave no answer', undefined, undefined, { cause })
    }
    return readAnswer(response, schema)
  }

  return {
    async send({ grant: id, chain, transaction, idempotencyKey, signal }) {
      const given = { grant: id, chain, transaction, idempotency_key: idempotencyKey }
      const answer = await call('transactions', given, v.object({ use }), signal)
      return answer.use
    },
    status: (id, { signal } = {}) => call('status', { grant: id }, grant, signal),
    async find({ permission, address }, { signal } = {}) {
      const answer = await call('find', { permission, address }, v.object({ grants: v.array(grant) }), signal)
      return answer.grants
    },
  }
}

/**
 * Makes a key pair for a signer: the public key goes into the app's settings, the private one into your key management.
 *
 * @returns both in PEM
 * @example
 * const { publicKey, privateKey } = await generateSignerKey()
 */
export async function generateSignerKey(): Promise<{ privateKey: string; publicKey: string }> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  return {
    privateKey: toPem('PRIVATE KEY', await crypto.subtle.exportKey('pkcs8', pair.privateKey)),
    publicKey: toPem('PUBLIC KEY', await crypto.subtle.exportKey('spki', pair.publicKey)),
  }
}

function readAnswer<T>(
  { status, text }: { status: number; text: string },
  schema: v.GenericSchema<unknown, T>,
): T {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  if (status < 200 || status > 299) {
    const said = v.safeParse(failure, body)
    const { code, error, data } = said.success ? said.output : {}
    const usual = status >= 500 ? 'network_unavailable' : 'unknown_error'
    throw new GrantError(code ?? usual, error ?? `The API answered ${status}`, data?.reason, status)
  }
  const read = v.safeParse(schema, body)
  if (!read.success)
    throw new GrantError('malformed_response', 'The answer of the API has another form', undefined, status)
  return read.output
}

/** Another attempt may have an answer. */
const isPassing = ({ code, status }: GrantError): boolean =>
  code === 'network_unavailable' || (status !== undefined && status >= 500)

function pause(time: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, time)
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end, { once: true })
  })
}

function readKey(pem: string): Promise<CryptoKey> {
  const [, text = ''] = /-----BEGIN PRIVATE KEY-----([\s\S]+)-----END PRIVATE KEY-----/.exec(pem) ?? []
  const bytes = Uint8Array.from(atob(text.replaceAll(/\s/g, '')), (character) => character.charCodeAt(0))
  return crypto.subtle.importKey('pkcs8', bytes, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
}

const toBase64 = (bytes: ArrayBuffer): string =>
  btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''))
const toBase64url = (bytes: ArrayBuffer): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
const toPem = (name: string, bytes: ArrayBuffer): string =>
  [`-----BEGIN ${name}-----`, ...(toBase64(bytes).match(/.{1,64}/g) ?? []), `-----END ${name}-----`, ''].join(
    '\n',
  )
