import * as v from 'valibot'

/** An error that a caller of JSON-RPC gets with its code. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}
export const INVALID_FIELDS = -32_602

export type RpcMethods = Readonly<Record<string, (params: readonly unknown[]) => unknown>>

const call = v.object({
  jsonrpc: v.literal('2.0'),
  id: v.nullish(v.union([v.string(), v.number()]), null),
  method: v.string(),
  params: v.optional(v.array(v.unknown()), () => []),
})

/** Answers a request of JSON-RPC 2.0, or several of them in one body. */
export async function answerRpc(request: Request, methods: RpcMethods): Promise<Response> {
  const body: unknown = await request.json().catch(() => undefined)
  if (body === undefined) return Response.json(errorView(null, new RpcError(-32_700, 'Parse error')))
  return Response.json(
    Array.isArray(body)
      ? await Promise.all(body.map((each) => answerOne(each, methods)))
      : await answerOne(body, methods),
  )
}

async function answerOne(body: unknown, methods: RpcMethods): Promise<object> {
  const parsed = v.safeParse(call, body)
  if (!parsed.success) return errorView(null, new RpcError(-32_600, 'Invalid request'))
  const { id, method, params } = parsed.output
  try {
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!run) throw new RpcError(-32_601, `The method ${method} does not exist`)
    return { jsonrpc: '2.0', id, result: (await run(params)) ?? null }
  } catch (cause) {
    return errorView(id, cause)
  }
}

function errorView(id: string | number | null, cause: unknown): object {
  const { code, message, data } =
    cause instanceof RpcError
      ? cause
      : new RpcError(-32_603, cause instanceof Error ? cause.message : String(cause))
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } }
}

/** Checks a parameter. @throws RpcError that names the field which is wrong */
export function readParameter<T extends v.GenericSchema>(schema: T, value: unknown): v.InferOutput<T> {
  const parsed = v.safeParse(schema, value)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  throw new RpcError(INVALID_FIELDS, `Invalid ${v.getDotPath(issue) ?? 'parameter'}: ${issue.message}`)
}
