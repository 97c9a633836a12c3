/** Bytes of one chunk, as a network brings them. */
const CHUNK = 65_536

/** A body of so many bytes that comes in chunks, as bodies do: readers that have enough need not take all of it. */
export function largeBody(text: string, bytes = 10_000_000): ReadableStream<Uint8Array> {
  const chunk = new TextEncoder().encode('a'.repeat(CHUNK))
  let left = bytes
  return new ReadableStream({
    start: (body) => body.enqueue(new TextEncoder().encode(text)),
    pull(body) {
      body.enqueue(chunk.slice())
      left -= CHUNK
      if (left <= 0) body.close()
    },
  })
}
