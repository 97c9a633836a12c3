/** The stand-in for iCloud: the sign-in window, and CloudKit's web services with tokens that change with every request. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createIcloud } from '../../demo/world/icloud/icloud.ts'

const base = 'http://localhost:4805/icloud'
type Icloud = Awaited<ReturnType<typeof createIcloud>>
let icloud: Icloud
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-icloud-'))
  icloud = await createIcloud({ base, file: join(folder, 'icloud.json') })
})
afterAll(() => rm(folder, { recursive: true }))

/** One browser that has CloudKit's answers bring the next token. */
class Caller {
  token = ''
  constructor(readonly at: Icloud = icloud) {}

  async call(
    operation: string,
    body?: unknown,
    { apiToken = this.at.credentials.apiToken, token = this.token } = {},
  ) {
    const { container, environment } = this.at.credentials
    const query = new URLSearchParams({ ckAPIToken: apiToken, ...(token && { ckWebAuthToken: token }) })
    const answer = await this.at.app.request(
      `/database/1/${container}/${environment}/${operation}?${query}`,
      {
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        headers: { origin: 'http://vault.localhost:4802' },
      },
    )
    this.token = answer.headers.get('x-apple-cloudkit-web-auth-token') ?? ''
    return { status: answer.status, headers: answer.headers, body: await answer.json() }
  }

  /** Through the window: what its page tells the opener. */
  async signIn(login: string | null) {
    const { body } = await new Caller(this.at).call('private/users/current')
    const window = body.redirectURL.slice(base.length)
    const asked = await this.at.app.request(window)
    const answered = await this.at.app.request(window, {
      method: 'POST',
      body: new URLSearchParams(login === null ? { answer: 'deny' } : { login, answer: 'allow' }),
    })
    const html = await answered.text()
    const said = /<script type="application\/json" id="answer">(.*?)<\/script>/.exec(html)?.[1]
    const message = said && JSON.parse(said)
    this.token = message?.ckSession ?? ''
    return { asked: await asked.text(), status: answered.status, headers: answered.headers, html, message }
  }
  async in(login: string) {
    await this.signIn(login)
    return this
  }

  modify(operationType: string, record: object, more: object = {}) {
    return this.call('private/records/modify', { operations: [{ operationType, record }], ...more })
  }
  lookUp(...names: string[]) {
    return this.call('private/records/lookup', { records: names.map((recordName) => ({ recordName })) })
  }
}

const record = (recordName: string, secret = 'of mine') => ({
  recordName,
  recordType: 'LatchkeyRecovery',
  fields: { v: { value: 1 }, secret: { value: secret } },
})

describe('the window of iCloud', () => {
  it('is where CloudKit sends people who are not signed in', async () => {
    const { status, body } = await new Caller().call('private/users/current')
    expect(status).toBe(421)
    expect(body).toEqual({
      uuid: expect.any(String),
      serverErrorCode: 'AUTHENTICATION_REQUIRED',
      reason: 'request needs authorization',
      redirectURL: expect.stringMatching(/^http:\/\/localhost:4805\/icloud\/sign-in\?/),
    })
  })

  it('tells its opener a session, as both names that clients look for', async () => {
    const caller = new Caller()
    const { asked, headers, message } = await caller.signIn('ann')
    expect(asked).toContain('Sign in with your Apple Account')
    expect(message.ckSession).toBe(message.ckWebAuthToken)
    // What must be written with care in an address.
    expect(message.ckSession).toMatch(/[+/=]/)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.has('cross-origin-opener-policy')).toBe(false)
    expect((await caller.call('private/users/caller')).body.userRecordName).toMatch(/^_[0-9a-f]{32}$/)
  })

  it('tells of a refusal, asks again after nonsense, and leaves those out who have closed their data to the web', async () => {
    expect((await new Caller().signIn(null)).message).toEqual({ errorMessage: expect.any(String) })
    const nonsense = await new Caller().signIn('<b>')
    expect([nonsense.status, nonsense.message]).toEqual([422, undefined])
    expect(nonsense.html).not.toContain('<b>')
    const protectedOne = await new Caller().signIn('protected.pat')
    expect([protectedOne.status, protectedOne.message]).toEqual([200, undefined])
  })

  it('knows no other container', async () => {
    const answer = await icloud.app.request('/sign-in?container=iCloud.other&environment=development')
    expect(answer.status).toBe(400)
  })
})

describe('a token of CloudKit', () => {
  it('is good for one request, whose answer brings the next, also when it is a refusal', async () => {
    const caller = await new Caller().in('ann')
    const first = caller.token
    const missing = await caller.lookUp('nothing')
    expect(missing.status).toBe(200)
    expect(caller.token).not.toBe(first)
    const second = caller.token
    expect((await caller.call('private/records/lookup', {})).status).toBe(400)
    expect(caller.token).not.toBe(second)
    expect((await caller.lookUp('nothing')).status).toBe(200)
    for (const used of [first, second])
      expect((await new Caller().call('private/users/current', undefined, { token: used })).status).toBe(421)
  })

  it('serves one of two requests that come at once', async () => {
    const { token } = await new Caller().in('ann')
    const both = await Promise.all(
      [1, 2].map(() => new Caller().call('private/users/current', undefined, { token })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 421])
  })

  it('is nothing without the app’s own', async () => {
    const caller = await new Caller().in('ann')
    const { status, body } = await caller.call('private/users/current', undefined, { apiToken: 'other' })
    expect([status, body.serverErrorCode, body.redirectURL]).toEqual([
      401,
      'AUTHENTICATION_FAILED',
      undefined,
    ])
  })

  it('can be read by a page of any origin', async () => {
    const { headers } = await (await new Caller().in('ann')).call('private/users/current')
    expect(headers.get('access-control-allow-origin')).toBe('http://vault.localhost:4802')
    expect(headers.get('access-control-expose-headers')).toContain('X-Apple-CloudKit-Web-Auth-Token')
  })
})

describe('private records', () => {
  it('are made once, and found by their name', async () => {
    const caller = await new Caller().in('bea')
    const made = await caller.modify('create', record('one'))
    const [one] = made.body.records
    expect(one).toMatchObject({
      recordName: 'one',
      recordType: 'LatchkeyRecovery',
      deleted: false,
      pluginFields: {},
      fields: { v: { value: 1, type: 'INT64' }, secret: { value: 'of mine', type: 'STRING' } },
    })
    expect((await caller.lookUp('one', 'two')).body.records).toEqual([
      one,
      { recordName: 'two', reason: 'Record not found', serverErrorCode: 'NOT_FOUND' },
    ])
    const again = await caller.modify('create', record('one', 'another'))
    expect([again.status, again.body.records[0].serverErrorCode]).toEqual([200, 'EXISTS'])
    expect((await caller.lookUp('one')).body.records).toEqual([one])
  })

  it('are changed only with their current change tag', async () => {
    const caller = await new Caller().in('cid')
    const { recordChangeTag } = (await caller.modify('create', record('one'))).body.records[0]
    const stale = await caller.modify('update', { ...record('one', 'new'), recordChangeTag: 'old' })
    expect(stale.body.records[0].serverErrorCode).toBe('CONFLICT')
    const fields = { secret: { value: 'new' } }
    const updated = await caller.modify('update', { recordName: 'one', recordChangeTag, fields })
    expect(updated.body.records[0].fields).toMatchObject({ v: { value: 1 }, secret: { value: 'new' } })
    const replaced = await caller.modify('forceReplace', { recordName: 'one', fields })
    expect(Object.keys(replaced.body.records[0].fields)).toEqual(['secret'])
    expect((await caller.modify('delete', { recordName: 'two' })).body.records[0].serverErrorCode).toBe(
      'NOT_FOUND',
    )
    expect((await caller.modify('forceDelete', { recordName: 'one' })).body.records).toEqual([
      { recordName: 'one', deleted: true },
    ])
    expect((await caller.lookUp('one')).body.records[0].serverErrorCode).toBe('NOT_FOUND')
  })

  it('belong to one person, and outlive a restart', async () => {
    await (await new Caller().in('dee')).modify('create', record('one'))
    expect((await (await new Caller().in('eli')).lookUp('one')).body.records[0].serverErrorCode).toBe(
      'NOT_FOUND',
    )
    const again = await createIcloud({ base, file: join(folder, 'icloud.json') })
    const back = await new Caller(again).in('dee')
    expect((await back.lookUp('one')).body.records[0].fields.secret.value).toBe('of mine')
    // A name that every object has is still the name of no record.
    expect((await back.lookUp('constructor')).body.records[0].serverErrorCode).toBe('NOT_FOUND')
  })

  it('are refused where there is no room, no such zone, or no sense in them', async () => {
    const full = await (await new Caller().in('full.fred')).modify('create', record('one'))
    expect(full.body.records[0].serverErrorCode).toBe('QUOTA_EXCEEDED')
    const caller = await new Caller().in('gus')
    const elsewhere = await caller.modify('create', record('one'), { zoneID: { zoneName: 'elsewhere' } })
    expect([elsewhere.status, elsewhere.body.serverErrorCode]).toEqual([404, 'ZONE_NOT_FOUND'])
    for (const wrong of [
      { ...record('one'), recordName: '_one' },
      { ...record('one'), recordType: '1' },
      { ...record('one'), fields: { secret: { value: {} } } },
      { ...record('one'), fields: { secret: 'text' } },
    ])
      expect((await caller.modify('create', wrong)).status).toBe(400)
    expect((await caller.call('public/records/lookup', { records: [{ recordName: 'one' }] })).status).toBe(
      400,
    )
  })
})
