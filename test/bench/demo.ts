/** Speaks to a running demo as a script would, without a page. */
import type { Demo } from '../e2e/support/demo.ts'

/** Posts to the API as the kit does. Throws with the server's words when it refuses. */
export async function post(
  demo: Demo,
  to: string,
  body: object,
  token?: string,
  app = firstApp(demo),
): Promise<Record<string, string>> {
  const response = await fetch(`${demo.api}/api/v1/${to}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'privy-app-id': app.id,
      'privy-client-id': app.clientId,
      'privy-client': 'latchkey-bench:1',
      origin: new URL(demo.api).origin,
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${to} answered ${response.status}: ${text.slice(0, 200)}`)
  return JSON.parse(text)
}

/** The newest code in the inbox for each address. */
export async function codesOf(demo: Demo): Promise<Map<string, string>> {
  const response = await fetch(`${demo.inbox}/messages.json`)
  const messages = (await response.json()) as { to: string; code: string }[]
  return new Map(messages.reverse().map(({ to, code }) => [to, code]))
}

/** Sends a code to each address and waits until all have come. */
export async function sendCodes(
  demo: Demo,
  addresses: readonly string[],
  app = firstApp(demo),
): Promise<Map<string, string>> {
  for (const email of addresses) await post(demo, 'passwordless/init', { email }, undefined, app)
  for (let tries = 0; tries < 200; tries++) {
    const codes = await codesOf(demo)
    if (addresses.every((address) => codes.has(address))) return codes
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('not all codes came into the inbox')
}

/** The app of that id. */
export function appOf({ apps }: Demo, id: string) {
  const app = apps.find((one) => one.id === id)
  if (!app) throw new Error(`the demo has no app ${id}`)
  return app
}

/** The open app, which allows any origin on this machine. */
export function firstApp({ apps: [app] }: Demo) {
  if (!app) throw new Error('the demo has no app')
  return app
}
