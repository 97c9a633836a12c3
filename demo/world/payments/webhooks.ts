/** Sends a webhook as providers do: again after a while where it is not taken, and never more than a few times. */
export async function sendWebhook(
  url: string | undefined,
  build: () => { headers: Record<string, string>; body: string },
): Promise<void> {
  if (url === undefined) return
  for (const wait of [0, 500, 2_000]) {
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait).unref())
    try {
      // Signed anew each time: a signature is good for a few minutes.
      const { headers, body } = build()
      const signal = AbortSignal.timeout(5_000)
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        signal,
      })
      await response.arrayBuffer()
      if (response.ok) return
    } catch {}
  }
}
