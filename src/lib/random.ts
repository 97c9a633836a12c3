/** Random bytes as base64url text. @param bytes how many; four make about six characters */
export const randomText = (bytes: number): string => encode(crypto.getRandomValues(new Uint8Array(bytes)))

/** The SHA-256 of a text, as base64url. */
export const sha256Text = async (text: string): Promise<string> =>
  encode(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))

const encode = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
