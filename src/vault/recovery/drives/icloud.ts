import { isPlainObject, type PlainObject } from '../../../lib/plain.ts'
import type { RetryingRequest } from '../../../lib/retrying-fetch.ts'
import type { VaultContext } from '../../context.ts'
import type { IcloudContainer } from '../../server/recovery.ts'
import { accessDenied, type Drive, driveUnavailable, exchange, fileNotFound, firstText } from './file.ts'

const RECORD_TYPE = 'LatchkeyRecovery'
/** The second one is what older servers call it. */
const NEXT_TOKENS = ['x-apple-cloudkit-web-auth-token', 'x-apple-cloudkit-session']

/**
 * A person's iCloud, by the web token of their sign-in: CloudKit web services, the private database. A web token
 * serves one round trip; the answer has the next one.
 */
export function icloud(cx: VaultContext, container: IcloudContainer, webToken: string): Drive {
  let token = webToken

  /** One exchange, which uses up the token and learns the next one. */
  const send = (path: string, request: Pick<RetryingRequest, 'method'> & { readonly body?: string }) =>
    exchange(
      cx,
      async (url, init) => {
        const query = new URLSearchParams({ ckAPIToken: container.apiToken, ckWebAuthToken: token })
        const response = await cx.fetch(`${url}?${query}`, init)
        token = NEXT_TOKENS.map((name) => response.headers.get(name)).find(Boolean) ?? token
        return response
      },
      {
        url: `${cx.settings.cloudKitUrl}/database/1/${container.container}/${container.environment}/private/${path}`,
        headers: { accept: 'application/json', ...(request.body && { 'content-type': 'application/json' }) },
        ...request,
      },
    )

  /** The one record of an operation on one record. */
  async function ask(operation: 'modify' | 'lookup', body: object): Promise<PlainObject> {
    const request = { method: 'POST', body: JSON.stringify(body) } as const
    const { status, body: answer } = await send(`records/${operation}`, request)
    const record = Array.isArray(answer.records) ? answer.records[0] : undefined
    const failure = [answer, record].find((one) => isPlainObject(one) && one.serverErrorCode !== undefined) as
      | PlainObject
      | undefined
    // The name was ours and new: an attempt whose answer was lost has written it.
    if (failure?.serverErrorCode === 'EXISTS') return failure
    if (failure || status < 200 || status > 299) throw meaning(status, failure?.serverErrorCode)
    if (!isPlainObject(record)) throw driveUnavailable()
    return record
  }

  return {
    async write(file) {
      const recordName = crypto.randomUUID()
      const fields = Object.fromEntries(Object.entries(file).map(([name, value]) => [name, typed(value)]))
      const record = { recordType: RECORD_TYPE, recordName, fields }
      await ask('modify', { operations: [{ operationType: 'create', record }] })
      return recordName
    },
    async read(name) {
      const { fields } = await ask('lookup', { records: [{ recordName: name }] })
      if (!isPlainObject(fields)) throw fileNotFound()
      return Object.fromEntries(
        Object.entries(fields).map(([key, field]) => [key, isPlainObject(field) ? field.value : undefined]),
      )
    },
    async owner() {
      const { status, body } = await send('users/caller', { method: 'GET' })
      if (status < 200 || status > 299) throw meaning(status, body.serverErrorCode)
      const { nameComponents, lookupInfo } = body
      const address = isPlainObject(lookupInfo) ? lookupInfo.emailAddress : undefined
      const names = isPlainObject(nameComponents) ? [nameComponents.givenName, nameComponents.familyName] : []
      return firstText(address, names.filter((name) => typeof name === 'string').join(' '))
    },
  }
}

const typed = (value: string | number) => ({ value, type: typeof value === 'number' ? 'INT64' : 'STRING' })

/** CloudKit's codes. Some come with the status 200, as the fate of one record. */
function meaning(status: number, code: unknown) {
  if (code === 'NOT_FOUND' || code === 'ZONE_NOT_FOUND') return fileNotFound()
  const refused = ['AUTHENTICATION_REQUIRED', 'AUTHENTICATION_FAILED', 'ACCESS_DENIED'].includes(String(code))
  return refused || [401, 403, 421].includes(status) ? accessDenied() : driveUnavailable(status)
}
