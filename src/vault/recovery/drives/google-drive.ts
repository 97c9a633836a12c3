import { isPlainObject, type PlainObject } from '../../../lib/plain.ts'
import type { RetryingRequest } from '../../../lib/retrying-fetch.ts'
import { randomBytes, toBase64url } from '../../bytes.ts'
import type { VaultContext } from '../../context.ts'
import { accessDenied, type Drive, driveUnavailable, exchange, fileNotFound, firstText } from './file.ts'

const MIME = 'application/json'
/** The app's own folder, which the person's other apps and the list of their files don't show. */
const FOLDER = 'appDataFolder'

/** A person's Google Drive, by a token of the scope `drive.appdata`. Drive API v3. */
export function googleDrive(cx: VaultContext, accessToken: string): Drive {
  async function ask({ headers, ...request }: RetryingRequest) {
    const answer = await exchange(cx, cx.fetch, {
      ...request,
      headers: { accept: MIME, authorization: `Bearer ${accessToken}`, ...headers },
    })
    if (answer.status === 401 || (answer.status === 403 && !isBusy(answer.body))) throw accessDenied()
    if (answer.status === 404) throw fileNotFound()
    if (answer.status < 200 || answer.status > 299) throw driveUnavailable(answer.status)
    return answer.body
  }

  return {
    async write(file) {
      const boundary = `part-${toBase64url(randomBytes(18))}`
      const about = { name: `latchkey-${file.wallet}.json`, mimeType: MIME, parents: [FOLDER] }
      const { id } = await ask({
        url: `${cx.settings.googleDriveUrl}/upload/drive/v3/files?uploadType=multipart&fields=id`,
        method: 'POST',
        headers: { 'content-type': `multipart/related; boundary=${boundary}` },
        body: multipart(boundary, [about, file]),
      })
      if (!isId(id)) throw driveUnavailable()
      return id
    },
    async read(name) {
      if (!isId(name)) throw fileNotFound()
      return ask({ url: `${cx.settings.googleDriveUrl}/drive/v3/files/${name}?alt=media`, method: 'GET' })
    },
    async owner() {
      const fields = encodeURIComponent('user(displayName,emailAddress)')
      const { user } = await ask({
        url: `${cx.settings.googleDriveUrl}/drive/v3/about?fields=${fields}`,
        method: 'GET',
      })
      return isPlainObject(user) ? firstText(user.emailAddress, user.displayName) : undefined
    },
  }
}

/** Too many requests and a full drive are 403 as well. */
const isBusy = (body: PlainObject) => /(quota|limit)exceeded/i.test(JSON.stringify(body))

const isId = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{1,255}$/.test(value)

/** RFC 2387; the first part says what the second one is. */
function multipart(boundary: string, parts: readonly object[]): string {
  const written = parts.map(
    (part) => `--${boundary}\r\ncontent-type: ${MIME}; charset=UTF-8\r\n\r\n${JSON.stringify(part)}\r\n`,
  )
  return `${written.join('')}--${boundary}--\r\n`
}
