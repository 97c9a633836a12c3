/** Looks for secrets in what somebody has overheard, in whatever spelling. */
import { base58 } from '@scure/base'

export interface Secret {
  readonly name: string
  readonly bytes: Uint8Array
}
export const secretText = (name: string, text: string): Secret => ({ name, bytes: Buffer.from(text) })

const spelled = new Map<Uint8Array, string[]>()

/** How bytes may stand in a text. */
export function spellings(bytes: Uint8Array): string[] {
  const known = spelled.get(bytes)
  if (known) return known
  const buffer = Buffer.from(bytes)
  const text = buffer.toString('utf8')
  const readable = Buffer.from(text).equals(buffer)
  const hex = buffer.toString('hex')
  const forms = [
    ...[hex, `0x${hex}`, hex.toUpperCase()],
    ...[buffer.toString('base64').replaceAll('=', ''), buffer.toString('base64url')],
    ...[base58.encode(bytes), bytes.join(',')],
    ...(readable ? [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)] : []),
  ]
  const different = [...new Set(forms)]
  spelled.set(bytes, different)
  return different
}

/** Which of the secrets a text holds: as it is, or in what its runs of hex and base64 stand for. */
export function secretsIn(text: string, secrets: readonly Secret[]): string[] {
  const decoded = [
    ...(text.match(/[\da-f]{24,}/gi) ?? []).flatMap((run) => [
      Buffer.from(run, 'hex'),
      Buffer.from(run.slice(1), 'hex'),
    ]),
    ...(text.match(/[\w+/-]{16,}/g) ?? []).flatMap((run) =>
      [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), 'base64')),
    ),
  ]
  return secrets
    .filter(
      ({ bytes }) =>
        spellings(bytes).some((form) => text.includes(form)) || decoded.some((run) => run.includes(bytes)),
    )
    .map(({ name }) => name)
}
