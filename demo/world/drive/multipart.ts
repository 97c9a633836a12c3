/** One part of a multipart body, with its media type. */
export interface Part {
  type: string
  bytes: Buffer
}

const lineEnd = '\r\n'

/**
 * The parts of a `multipart/related` body (RFC 2387).
 * @param contentType the request's own, which names the boundary
 * @returns `undefined` for anything that is not well made
 */
export function readParts(contentType: string, body: Buffer): Part[] | undefined {
  const named =
    /^multipart\/related\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i.exec(
      contentType,
    )
  const boundary = named?.[1] ?? named?.[2]
  if (!boundary) return undefined
  const mark = Buffer.from(`${lineEnd}--${boundary}`)
  // The first boundary need not follow a line break.
  const text = Buffer.concat([Buffer.from(lineEnd), body])
  const parts: Part[] = []
  let at = text.indexOf(mark)
  while (at >= 0) {
    const start = at + mark.length
    if (text.subarray(start, start + 2).equals(Buffer.from('--'))) return parts
    const end = text.indexOf(mark, start)
    const part = end < 0 ? undefined : readPart(text.subarray(start, end))
    if (!part) return undefined
    parts.push(part)
    at = end
  }
  return undefined
}

function readPart(text: Buffer): Part | undefined {
  const empty = text.indexOf(lineEnd + lineEnd)
  if (empty < 0 || !/^[ \t]*\r\n/.test(text.subarray(0, empty + 2).toString('latin1'))) return undefined
  const headers = text.subarray(0, empty).toString('latin1').split(lineEnd).slice(1)
  const type = headers.flatMap((line) => /^content-type:\s*(.+)$/i.exec(line)?.[1] ?? [])[0]
  return { type: type ?? 'text/plain', bytes: text.subarray(empty + 4) }
}
