import { serveFetch } from '../../support/serve.ts'

export type Lie = { result: unknown } | { error: { code: number; message: string } } | Response | 'silent'
/** A lie made for the parameters of a call: `undefined` for those that are answered honestly. */
type LieAbout = (params: readonly unknown[]) => Lie | undefined | Promise<Response>

/** A real node, in front of which some methods are answered otherwise. */
export async function startNode(target: string) {
  const lies: Record<string, Lie | LieAbout> = {}
  const asked: string[] = []
  async function answer(request: Request): Promise<Response> {
    const call = (await request.json()) as { id: unknown; method: string; params?: unknown[] }
    asked.push(call.method)
    const given = lies[call.method] ?? lies['*']
    const lie = await (typeof given === 'function' ? given(call.params ?? []) : given)
    if (lie === 'silent') return new Promise(() => {})
    if (lie instanceof Response) return lie.clone()
    if (lie) return Response.json({ jsonrpc: '2.0', id: call.id, ...lie })
    return fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
    })
  }
  const { origin, stop } = await serveFetch(answer)
  return {
    url: origin,
    lies,
    asked,
    honest() {
      for (const method of Object.keys(lies)) delete lies[method]
      asked.length = 0
    },
    stop,
  }
}
