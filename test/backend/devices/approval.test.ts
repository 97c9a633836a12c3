/** New devices that an enrolled one approves. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deviceRequests, devices } from '../../../demo/backend/devices/tables.ts'
import { users } from '../../../demo/backend/users/tables.ts'
import { Client } from '../support/client.ts'
import { everyWayApp, path, type Root, random, Vault, verdict } from '../support/embedded-world.ts'
import { compatibleMfaApp, enrolApp, mfaApp } from '../support/mfa-world.ts'
import { compatibleApp, minutes, seconds, startWorld, stores, type World } from '../support/world.ts'

const needed = [403, 'enrolment_required']
const unapproved = [403, 'approval_required']
const noRequest = [404, 'linked_account_not_found']
const wrong = [422, 'invalid_credentials']
const limited = [429, 'too_many_requests']
const otherApp = { ...everyWayApp, id: 'latchkey-test-approve-001' }

describe.each(stores)('devices: approval by an enrolled device on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store, { moreApps: [everyWayApp, otherApp, mfaApp, compatibleMfaApp] })
  })
  afterAll(() => world?.stop())

  async function withWallet(appId = everyWayApp.id): Promise<{ first: Vault; root: Root }> {
    const first = await Vault.open(world, { appId })
    return { first, root: await first.create() }
  }
  const packageOf = (vault: Vault, root: Root) => vault.post(`${path(root)}/recovery/package`)
  async function request(vault: Vault): Promise<{ id: string; number: string; expires_at: number }> {
    const { status, body, text } = await vault.post('devices/enroll/request')
    if (status !== 200) throw new Error(`No request: ${status} ${text}`)
    return body
  }
  const statusOf = async (vault: Vault, id: string) =>
    (await vault.post(`devices/enroll/request/${id}`)).body.status
  const requestsOf = async (vault: Vault) => (await vault.post('devices/requests')).body.requests
  const countOf = async (client: Client) => (await client.post('devices/requests/count')).body.count
  const enrol = (vault: Vault, id: string) => vault.enrol({ factor: 'device', id })
  const otherNumber = (number: string) => (number === '10' ? '11' : '10')

  test('an enrolled device lists a request with three numbers, one of them the new device’s, and approves it', async () => {
    const { first, root } = await withWallet()
    const next = first.elsewhere()
    expect(await countOf(first.page())).toBe(0)
    const { id, number, expires_at } = await request(next)
    expect(id).toMatch(/^[\w-]{43}$/)
    expect(expires_at).toBe(Math.floor(world.clock.now / 1_000) + 300)
    expect(await statusOf(next, id)).toBe('pending')
    expect(await countOf(first.page())).toBe(1)
    const [listed] = await requestsOf(first)
    expect(listed).toEqual({
      id,
      name: 'An unknown device',
      place: expect.stringContaining('/24'),
      thumbprint: next.key.thumbprint,
      numbers: expect.arrayContaining([number]),
      created_at: Math.floor(world.clock.now / 1_000),
      expires_at,
    })
    expect(new Set(listed.numbers).size).toBe(3)
    for (const each of listed.numbers) expect(each).toMatch(/^[1-9]\d$/)
    expect(verdict(await enrol(next, id))).toEqual(needed)
    expect((await first.approve(id, number)).body).toEqual({})
    expect(await statusOf(next, id)).toBe('approved')
    expect(await countOf(first.page())).toBe(0)
    expect((await enrol(next, id)).status).toBe(200)
    expect((await packageOf(next, root)).status).toBe(200)
    await expect
      .poll(() => world.mailbox.messages().some(({ subject }) => subject.startsWith('A new device can use')))
      .toBe(true)
  })

  test('an approval enrols the key that asked, once, in the session and app that asked', async () => {
    const { first } = await withWallet()
    const next = first.elsewhere()
    const { id, number } = await request(next)
    expect((await first.approve(id, number)).status).toBe(200)
    const otherKey = first.elsewhere()
    const otherLogin = first.elsewhere()
    otherLogin.key = next.key
    const page = new Client(world, { appId: everyWayApp.id })
    const { linked_accounts: accounts } = (await first.page().get('users/me')).body.user
    const { address } = accounts.find(({ type }: { type: string }) => type === 'email')
    world.clock.pass(seconds(31))
    otherLogin.token = (await page.login(address)).body.token
    const { first: stranger } = await withWallet()
    const elsewhere = stranger.elsewhere()
    elsewhere.key = next.key
    for (const thief of [otherKey, otherLogin, elsewhere]) {
      expect(verdict(await enrol(thief, id))).toEqual(needed)
      expect(verdict(await thief.post(`devices/enroll/request/${id}`))).toEqual(noRequest)
    }
    const answers = await Promise.all([enrol(next, id), enrol(next, id), enrol(next, id)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(verdict(await enrol(next, id))).toEqual(needed)
  })

  test('a wrong number denies the request, also when the right one follows', async () => {
    const { first, root } = await withWallet()
    const next = first.elsewhere()
    const { id, number } = await request(next)
    const [{ numbers }] = await requestsOf(first)
    const decoy = numbers.find((each: string) => each !== number)
    expect(verdict(await first.approve(id, decoy))).toEqual(wrong)
    expect(await statusOf(next, id)).toBe('denied')
    const again = first.approvalOf({ id, thumbprint: next.key.thumbprint }, number)
    expect(verdict(await first.postStated(`devices/requests/${id}/approve`, { number }, again))).toEqual(
      noRequest,
    )
    expect(verdict(await enrol(next, id))).toEqual(needed)
    expect((await packageOf(next, root)).status).toBe(403)
  })

  test('of all numbers guessed at once at most one is judged', async () => {
    const { first } = await withWallet()
    const next = first.elsewhere()
    const { id, number } = await request(next)
    await first.post('devices/requests')
    const approve = (guess: string) =>
      first.postStated(
        `devices/requests/${id}/approve`,
        { number: guess },
        first.approvalOf({ id, thumbprint: next.key.thumbprint }, guess),
      )
    const answers = await Promise.all(
      [otherNumber(number), '12', '13', number].map((guess) => approve(guess)),
    )
    expect(answers.filter(({ status }) => status === 200 || status === 422)).toHaveLength(1)
  })

  test('the approving device signs the statement of this request, key and number with the very call', async () => {
    const { first, root } = await withWallet()
    const next = first.elsewhere()
    const other = first.elsewhere()
    const { id, number } = await request(next)
    const another = await request(other)
    const to = `devices/requests/${id}/approve`
    const { thumbprint } = next.key
    const { first: stranger } = await withWallet()
    expect(verdict(await first.post(to, { number }))).toEqual(unapproved)
    for (const statement of [
      first.approvalOf({ id: another.id, thumbprint: other.key.thumbprint }, another.number),
      first.approvalOf({ id, thumbprint: other.key.thumbprint }, number),
      first.approvalOf({ id, thumbprint }, otherNumber(number)),
      first.approvalOf({ id: another.id, thumbprint }, number),
      stranger.approvalOf({ id, thumbprint }, number),
      first.say('Latchkey recovery passkey', { request: id, thumbprint, number }),
      `${first.approvalOf({ id, thumbprint }, number)}\n`,
    ])
      expect(verdict(await first.postStated(to, { number }, statement)), statement).toEqual(unapproved)
    const right = first.approvalOf({ id, thumbprint }, number)
    // Neither by a key that is not enrolled, nor by another user's device, nor from a page.
    expect(verdict(await next.postStated(to, { number }, right))).toEqual([403, 'device_not_enrolled'])
    expect(verdict(await stranger.postStated(to, { number }, right))).toEqual(noRequest)
    expect(verdict(await first.page().post(to, { number }))).toEqual([403, 'invalid_origin'])
    expect(await statusOf(next, id)).toBe('pending')
    expect((await packageOf(next, root)).status).toBe(403)
    expect((await first.postStated(to, { number }, right)).status).toBe(200)
  })

  test('a device approves no request of its own key, and a token alone sees and approves none', async () => {
    const { first } = await withWallet()
    const next = first.elsewhere()
    const { id, number } = await request(next)
    const other = await first.enrolOther()
    // Enrolled meanwhile by another proof.
    const rows = await world.backend.database.select().from(devices).where(eq(devices.userId, first.userId))
    expect(rows).toHaveLength(2)
    await world.backend.database
      .update(deviceRequests)
      .set({ thumbprint: other.key.thumbprint })
      .where(eq(deviceRequests.id, id))
    const own = other.approvalOf({ id, thumbprint: other.key.thumbprint }, number)
    expect(verdict(await other.postStated(`devices/requests/${id}/approve`, { number }, own))).toEqual(
      noRequest,
    )
    const thief = first.elsewhere()
    expect(verdict(await thief.post('devices/requests'))).toEqual([403, 'device_not_enrolled'])
    expect(verdict(await thief.post(`devices/requests/${id}/deny`))).toEqual([403, 'device_not_enrolled'])
    expect((await first.page().post('devices/requests')).status).toBe(403)
  })

  test('a request lives for five minutes, approved or not', async () => {
    const { first } = await withWallet()
    const [one, two] = [first.elsewhere(), first.elsewhere()]
    const late = await request(one)
    const approved = await request(two)
    expect((await first.approve(approved.id, approved.number)).status).toBe(200)
    world.clock.pass(minutes(5))
    expect([await statusOf(one, late.id), await statusOf(two, approved.id)]).toEqual(['expired', 'expired'])
    expect(await requestsOf(first)).toEqual([])
    const text = first.approvalOf({ id: late.id, thumbprint: one.key.thumbprint }, late.number)
    const to = `devices/requests/${late.id}/approve`
    expect(verdict(await first.postStated(to, { number: late.number }, text))).toEqual(noRequest)
    for (const [vault, { id }] of [
      [one, late],
      [two, approved],
    ] as const)
      expect(verdict(await enrol(vault, id))).toEqual(needed)
  })

  test('a denied request enrols nobody', async () => {
    const { first } = await withWallet()
    const next = first.elsewhere()
    const { id } = await request(next)
    expect((await first.post(`devices/requests/${id}/deny`)).body).toEqual({})
    expect(await statusOf(next, id)).toBe('denied')
    expect(verdict(await first.post(`devices/requests/${id}/deny`))).toEqual(noRequest)
    expect(verdict(await enrol(next, id))).toEqual(needed)
  })

  test('a key has one request at a time, and one login five an hour', async () => {
    const { first } = await withWallet()
    const next = first.elsewhere()
    const earlier = await request(next)
    const later = await request(next)
    expect((await requestsOf(first)).map(({ id }: { id: string }) => id)).toEqual([later.id])
    expect(verdict(await next.post(`devices/enroll/request/${earlier.id}`))).toEqual(noRequest)
    for (let count = 0; count < 3; count++) await request(first.elsewhere())
    for (const flooding of [next, first.elsewhere()])
      expect(verdict(await flooding.post('devices/enroll/request'))).toEqual(limited)
    // The thief's own login is what is used up.
    const page = new Client(world, { appId: everyWayApp.id })
    const { linked_accounts: accounts } = (await first.page().get('users/me')).body.user
    const { address } = accounts.find(({ type }: { type: string }) => type === 'email')
    const owner = first.elsewhere()
    world.clock.pass(seconds(31))
    owner.token = (await page.login(address)).body.token
    const { id, number } = await request(owner)
    expect((await first.approve(id, number)).status).toBe(200)
    expect((await enrol(owner, id)).status).toBe(200)
  })

  test('an approval ends with the device that gave it', async () => {
    const { first, root } = await withWallet()
    const stolen = await first.enrolOther()
    const thief = first.elsewhere()
    const { id, number } = await request(thief)
    expect((await stolen.approve(id, number)).status).toBe(200)
    const { devices: listed } = (await stolen.page().get('devices')).body
    const { id: stolenId } = listed.find(({ current }: { current: boolean }) => current)
    expect((await first.post(`devices/${stolenId}/remove`)).status).toBe(200)
    expect(verdict(await enrol(thief, id))).toEqual(needed)
    expect((await packageOf(thief, root)).status).toBe(403)
  })

  test('a user without another device asks none, and has no such factor', async () => {
    const { first } = await withWallet()
    const { factors } = (await first.post('devices/enroll/options')).body
    expect(factors.map(({ type }: { type: string }) => type)).toEqual(['email'])
    expect(verdict(await first.post('devices/enroll/request'))).toEqual([400, 'invalid_state'])
    const next = first.elsewhere()
    const seen = (await next.post('devices/enroll/options')).body.factors
    expect(seen[0]).toEqual({ type: 'device' })
  })

  test('a second factor is shown by the device that approves', async () => {
    const first = await Vault.open(world, { appId: mfaApp.id })
    const root = await first.create()
    const app = await enrolApp(first)
    const next = first.elsewhere()
    const { id, number } = await request(next)
    expect(verdict(await first.approve(id, number))).toEqual([401, 'missing_or_invalid_mfa'])
    expect(verdict(await first.approve(id, number, await app.proof('use')))).toEqual([
      401,
      'missing_or_invalid_mfa',
    ])
    expect((await first.approve(id, number, await app.proof('device'))).status).toBe(200)
    expect((await enrol(next, id)).status).toBe(200)
    // Releases to it still ask for the factor.
    expect(verdict(await packageOf(next, root))).toEqual([401, 'missing_or_invalid_mfa'])
  })

  test('in a compatible app the enrolled device approves without a statement', async () => {
    const { first } = await withWallet(compatibleApp)
    world.clock.pass(minutes(16))
    const next = first.elsewhere()
    expect(verdict(await next.enrol())).toEqual(needed)
    const { id, number } = await request(next)
    expect((await first.post(`devices/requests/${id}/approve`, { number })).status).toBe(200)
    expect((await enrol(next, id)).status).toBe(200)
  })

  test('a frozen account takes no request, approval or approved device', async () => {
    const { first } = await withWallet()
    const next = first.elsewhere()
    const waiting = first.elsewhere()
    const approved = await request(next)
    const open = await request(waiting)
    expect((await first.approve(approved.id, approved.number)).status).toBe(200)
    await world.backend.database
      .update(users)
      .set({ frozenAt: world.clock.now })
      .where(eq(users.id, first.userId))
    const frozen = [403, 'account_frozen']
    expect(verdict(await first.elsewhere().post('devices/enroll/request'))).toEqual(frozen)
    const text = first.approvalOf({ id: open.id, thumbprint: waiting.key.thumbprint }, open.number)
    const to = `devices/requests/${open.id}/approve`
    expect(verdict(await first.postStated(to, { number: open.number }, text))).toEqual(frozen)
    expect(verdict(await enrol(next, approved.id))).toEqual(needed)
    const { factors } = (await next.post('devices/enroll/options')).body
    expect(factors.map(({ type }: { type: string }) => type)).not.toContain('device')
  })

  test('ids and bodies of another form are refused', async () => {
    const { first } = await withWallet()
    const next = first.elsewhere()
    const { id } = await request(next)
    for (const body of [
      { factor: 'device' },
      { factor: 'device', id: '' },
      { factor: 'device', id: random(16) },
      { factor: 'device', id, number: '42' },
      { factor: 'other', id },
    ])
      expect(verdict(await next.enrol(body))).toEqual([400, 'invalid_data'])
    for (const number of ['4', '142', 'x4', 42])
      expect(verdict(await first.post(`devices/requests/${id}/approve`, { number }))).toEqual([
        400,
        'invalid_data',
      ])
    expect(verdict(await next.enrol({ factor: 'device', id: random(32) }))).toEqual(needed)
    expect(verdict(await first.post(`devices/requests/${random(32)}/deny`))).toEqual(noRequest)
  })
})
