/**
 * A host page that is hostile and has a valid access token: what it gets out of the vault and its server by itself, in a strict app
 * and in a compatible one. Presses of a person on what it has made of the approval frame are in hostile-approval.spec.ts.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { BrowserContext } from '@playwright/test'
import { decodeJwt } from 'jose'
import { statements } from '../../demo/backend/wallets/proofs.ts'
import { DeviceKey } from '../backend/support/device-key.ts'
import { eachOf, soak } from '../support/soak.ts'
import { expect, test } from './support/demo.ts'
import { messagesOf, rootOf } from './support/hostile-messages.ts'
import {
  appOf,
  changesOf,
  createTable,
  type HostileSite,
  heardBy,
  type Loot,
  logIn,
  lootIn,
  type Mode,
  minute,
  modes,
  newVictim,
  Outsider,
  openHostile,
  say,
  stateOf,
  type Victim,
} from './support/hostile-site.ts'

// One after the other, so that one worker has a site for all of them.
test.describe.configure({ mode: 'default' })

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')
const random = () => randomBytes(32).toString('base64url')
/** Everything on the server that gives something out, or changes it. */
async function askForAll(outsider: Outsider, { address, setIds }: Victim): Promise<string[]> {
  const at = (path: string) => `embedded_wallets/${address}/${path}`
  const change = randomUUID()
  const record = { method: 'privy', package: `package ${change}`, key: random() }
  const calls: [string, object][] = [
    [at('auth_share'), { set_ids: setIds }],
    [at('recovery/package'), {}],
    [at('recovery/key_material'), { chain_type: 'ethereum' }],
    [at('recovery/evaluate'), { proof: random() }],
    ['embedded_wallets/recovery/secrets', { proof: random() }],
    [at('recovery/present'), { proof: random() }],
    [at('recovery/changes'), { change_id: change, recovery: record, device_proof: random() + random() }],
    [at(`recovery/changes/${change}/confirm`), { device_proof: random() + random() }],
    [
      at('devices'),
      { set_id: randomUUID(), auth_share: 'a share of the attacker’s', proof: `0x${'1b'.repeat(65)}` },
    ],
  ]
  const got: string[] = []
  for (const [path, body] of calls) got.push((await outsider.post(path, body)).text)
  const ticket = await outsider.send(at('export_ticket'), {}, { origin: outsider.site.host })
  got.push((await outsider.post('embedded_wallets/export/redeem', { ...ticket.body, address })).text)
  return got
}

/** Removes every device of the person’s from outside. */
async function removeAll(outsider: Outsider, victim: Victim): Promise<string[]> {
  const { devices = [] } = (await stateOf(outsider.site, victim)) ?? {}
  const got: string[] = []
  for (const id of devices) got.push((await outsider.post(`devices/${id}/remove`)).text)
  return got
}

type Attempt = (site: HostileSite, victim: Victim, others: () => Promise<BrowserContext>) => Promise<string[]>

const withKey =
  (key?: DeviceKey) =>
  (site: HostileSite, { mode, token }: Victim) =>
    new Outsider(site, mode, token, key)

/** A call of the victim’s vault that has a proof: one that gives out a share. */
async function capture(site: HostileSite, victim: Victim) {
  const { page, calls } = victim
  const isRelease = ({ path }: Victim['calls'][number]) => path.endsWith('/auth_share')
  if (!calls.some(isRelease)) await say(page, 'privy:wallets:connect', rootOf(victim))
  const call = calls.findLast(isRelease)
  if (!call?.headers.dpop) throw new Error('No proof was captured')
  await heardBy(page)
  const outsider = new Outsider(site, victim.mode, victim.token, null)
  const send = (dpop: string, path = call.path, headers: Record<string, string> = {}) =>
    outsider.send(path, JSON.parse(call.body), { dpop, ...headers }).then(({ text }) => text)
  return { call, proof: call.headers.dpop, outsider, send }
}
/** The same, but it never reached the server: the proof is as good as new. */
async function withhold(site: HostileSite, victim: Victim) {
  const { page, calls } = victim
  const before = calls.length
  await page.route(`${site.apiUrl}/**/auth_share`, (route) => route.abort())
  say(page, 'privy:wallets:connect', rootOf(victim)).catch(() => {})
  await expect
    .poll(() => calls.slice(before).some(({ path, headers }) => path.endsWith('/auth_share') && headers.dpop))
    .toBe(true)
  return capture(site, victim)
}
const partsOf = (proof: string) => {
  const [header = '', claims = '', signature = ''] = proof.split('.')
  const read = (text: string) =>
    JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>
  return { header: read(header), claims: read(claims), signature }
}
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** What needs nothing but the token and an HTTP client. */
const outside: Record<string, Attempt> = {
  'forged Origin, no proof': (site, victim) =>
    askForAll(new Outsider(site, victim.mode, victim.token, null), victim),
  'forged Origin, no Origin and Origin null, each without a proof': async (site, victim) => {
    const outsider = new Outsider(site, victim.mode, victim.token, null)
    const got: string[] = []
    for (const origin of [site.vaultOrigin, site.apiUrl, site.host, 'null', ''])
      for (const path of ['auth_share', 'recovery/package', 'recovery/key_material'])
        got.push(
          (
            await outsider.send(
              `embedded_wallets/${victim.address}/${path}`,
              { set_ids: victim.setIds },
              { origin },
            )
          ).text,
        )
    return got
  },
  'own key that is not enrolled': (site, victim) => askForAll(withKey()(site, victim), victim),
  'own key, with a proof by none (alg none)': async (site, victim) => {
    const outsider = withKey()(site, victim)
    await outsider.post('devices/enroll/options')
    const { header, claims } = partsOf(
      outsider.proofFor(`embedded_wallets/${victim.address}/recovery/package`),
    )
    const dpop = `${encode({ ...header, alg: 'none' })}.${encode(claims)}.`
    return [(await outsider.send(`embedded_wallets/${victim.address}/recovery/package`, {}, { dpop })).text]
  },
  'a captured proof, played again': async (site, victim) => {
    const { send, proof } = await capture(site, victim)
    return [await send(proof), await send(proof)]
  },
  'a captured proof, altered': async (site, victim) => {
    const { send, proof } = await capture(site, victim)
    const { header, claims, signature } = partsOf(proof)
    const got: string[] = []
    for (const changed of [
      { jti: randomUUID() },
      { iat: Number(claims.iat) + 1 },
      { htu: String(claims.htu).replace('auth_share', 'recovery/package') },
      { nonce: `${claims.nonce}x` },
      { ath: undefined },
    ])
      got.push(await send(`${encode(header)}.${encode({ ...claims, ...changed })}.${signature}`))
    return got
  },
  'a captured proof, signed again by the attacker under the victim’s public key': async (site, victim) => {
    const { send, proof } = await capture(site, victim)
    const { header, claims } = partsOf(proof)
    const key = new DeviceKey()
    const text = `${encode(header)}.${encode({ ...claims, jti: randomUUID() })}`
    return [await send(`${text}.${key.sign(text)}`)]
  },
  'an unused proof for another address': async (site, victim) => {
    const { send, proof } = await withhold(site, victim)
    const root = `embedded_wallets/${victim.address}`
    const got: string[] = []
    for (const path of [`${root}/recovery/package`, `${root}/recovery/key_material`, 'devices/enroll'])
      got.push(await send(proof, path))
    // For what it is, it is good still: a proof that nobody gets hold of.
    expect(await send(proof)).toContain('auth_share')
    return got
  },
  'an unused proof with another token': async (site, victim) => {
    const { send, proof } = await withhold(site, victim)
    // Of the same person, from a login of its own.
    const { token: other } = await logIn(site, victim.mode, victim.email)
    return [await send(proof, undefined, { authorization: `Bearer ${other}` })]
  },
  'an unused proof under another name of the app': async (site, victim) => {
    const { send, proof } = await withhold(site, victim)
    const twin = victim.mode === 'strict' ? appOf.compatible : appOf.strict
    return [await send(proof, undefined, { 'privy-app-id': twin })]
  },
  'proof of an own key for another address, token, method, time and nonce': async (site, victim) => {
    const outsider = withKey()(site, victim)
    const path = `embedded_wallets/${victim.address}/recovery/package`
    const got: string[] = []
    for (const claims of [
      { htu: 'http://evil.localhost/x' },
      { htm: 'GET' },
      { ath: random() },
      { iat: 1 },
      { nonce: `1.${random()}` },
      { jti: 'x' },
    ])
      got.push((await outsider.post(path, {}, { claims })).text)
    return got
  },
  'a code that the page has seen (of the login) is used for enrolment': async (site, victim) => {
    const outsider = withKey()(site, victim)
    const page = new Outsider(site, victim.mode, undefined, null)
    await page.send('passwordless/init', { email: victim.email }, { origin: site.host })
    const { code } = site.mailbox.messages().find(({ to, code }) => to === victim.email && code) ?? {}
    return [
      (await outsider.post('devices/enroll', { factor: 'code', code })).text,
      ...(await askForAll(outsider, victim)),
    ]
  },
  'a code for the victim’s other browser is used for the attacker’s key': async (site, victim) => {
    const theirs = withKey()(site, victim)
    const code = await enrolmentCode(theirs, victim)
    const outsider = withKey()(site, victim)
    return [
      (await outsider.post('devices/enroll', { factor: 'code', code })).text,
      ...(await askForAll(outsider, victim)),
    ]
  },
  'the page has an enrolment code sent, and guesses it': async (site, victim) => {
    const outsider = withKey()(site, victim)
    const code = await enrolmentCode(outsider, victim)
    const got: string[] = []
    for (let tries = 0; tries < 12; tries++) {
      const guess = String((Number(code) + 1 + tries) % 1_000_000).padStart(6, '0')
      got.push((await outsider.post('devices/enroll', { factor: 'code', code: guess })).text)
    }
    // After so many tries the right one is worth nothing either.
    got.push((await outsider.post('devices/enroll', { factor: 'code', code })).text)
    return [...got, ...(await askForAll(outsider, victim))]
  },
  'enrolment by a recovery and a share that the attacker makes up': async (site, victim) => {
    const outsider = withKey()(site, victim)
    const { address: root, setIds } = victim
    const got: string[] = []
    for (const showing of [
      { factor: 'recovery', root, proof: random() },
      { factor: 'recovery', root, verifier: random() },
      { factor: 'share', root, set_id: setIds[0], proof: `0x${'1b'.repeat(65)}` },
    ])
      got.push((await outsider.post('devices/enroll', showing)).text)
    return [...got, ...(await askForAll(outsider, victim))]
  },
  'removal of the person’s devices without a key': (site, victim) =>
    removeAll(new Outsider(site, victim.mode, victim.token, null), victim),
  'removal of the person’s devices with an own key': (site, victim) =>
    removeAll(withKey()(site, victim), victim),
}

/** Has a code sent for a key, and reads it in the person’s mail. */
async function enrolmentCode(outsider: Outsider, { email }: Victim): Promise<string> {
  const { body } = await outsider.post('devices/enroll/options')
  const factors = (body as never as { factors: { type: string; id: string }[] }).factors
  const { status, text } = await outsider.post('devices/enroll/code', {
    id: factors.find(({ type }) => type === 'email')?.id,
  })
  if (status !== 200) throw new Error(`No code: ${text}`)
  return outsider.site.mailbox.messages().find(({ to, code }) => to === email && code)?.code ?? ''
}

/** What needs a login that is recent, or one that is not. */
const stolen: Record<string, Attempt> = {
  'stolen token in another HTTP client with an own key, which it has enrolled': async (site, victim) => {
    const outsider = withKey()(site, victim)
    return [
      (await outsider.post('devices/enroll', { factor: 'login' })).text,
      ...(await askForAll(outsider, victim)),
    ]
  },
  'stolen token in another browser with the vault’s own pages': async (site, victim, others) => {
    const page = await openHostile(site, await others(), victim.mode)
    for (const [event, data] of [
      ['privy:wallets:connect', rootOf(victim)],
      ['privy:wallets:recover', rootOf(victim)],
      messagesOf(victim)['a message is to be signed'] ?? ['', {}],
    ] as const)
      await say(page, event, data)
    return heardBy(page)
  },
}

/** Runs attempts one after the other on one person, and notes what each has brought. */
async function run(
  table: ReturnType<typeof createTable>,
  site: HostileSite,
  victim: Victim,
  attempts: Record<string, Attempt>,
  others: () => Promise<BrowserContext>,
  name = (attempt: string) => attempt,
) {
  for (const [attempt, work] of Object.entries(attempts)) {
    const before = await stateOf(site, victim)
    const got = await work(site, victim, others)
    await victim.page.unrouteAll({ behavior: 'ignoreErrors' })
    const loot: Loot[] = [...lootIn(got, victim.address), ...changesOf(before, await stateOf(site, victim))]
    table.note(name(attempt), loot)
  }
}

/** Every message after every other one (in the short run after some of them), and all of them at once. */
async function everyOrder(victim: Victim): Promise<string[]> {
  const { page } = victim
  const all = Object.values(messagesOf(victim))
  for (const first of eachOf(all, soak(12, 1)))
    for (const second of all) for (const [event, data] of [first, second]) await say(page, event, data)
  await Promise.all(all.map(([event, data]) => say(page, event, data)))
  return heardBy(page)
}

/** Keys that the attacker has had enrolled while that was easy, and that are theirs no longer. */
const former: Record<string, Attempt> = {
  'a key that was enrolled with the token before there was a wallet': async (site, victim, others) => {
    const early = new DeviceKey()
    const context = await others()
    const later = await newVictim(site, context, victim.mode, async (token) => {
      await new Outsider(site, victim.mode, token, early).post('devices/enroll', { factor: 'login' })
    })
    return (await askForAll(new Outsider(site, victim.mode, later.token, early), later)).concat(
      await heardBy(later.page),
    )
  },
  'a key that the person has removed': async (site, victim) => {
    const key = new DeviceKey()
    const outsider = new Outsider(site, victim.mode, victim.token, key)
    const code = await enrolmentCode(outsider, victim)
    const { body } = await outsider.post('devices/enroll', { factor: 'code', code })
    const deviceId = (body as Record<string, string>).device_id ?? ''
    const signer = { appId: appOf[victim.mode], userId: decodeJwt(victim.token).sub ?? '' }
    const stm = hashOf(statements.deviceRemoval(signer, { deviceId }))
    const removed = await outsider.post(`devices/${deviceId}/remove`, {}, { claims: { stm } })
    expect(removed.status).toBe(200)
    return askForAll(outsider, victim)
  },
  'a session that has ended, with the key of the person’s own browser': async (site, victim) => {
    const { proof, call } = await withhold(site, victim)
    const outsider = new Outsider(site, victim.mode, victim.token, null)
    const page = { origin: site.host }
    await outsider.send('sessions/logout', { refresh_token: victim.refreshToken }, page)
    return [(await outsider.send(call.path, JSON.parse(call.body), { dpop: proof })).text]
  },
}

const inEach = <T>(names: readonly string[], value: (name: string) => T) =>
  Object.fromEntries(names.map((name) => [name, value(name)]))

/** What the design grants to the page of a compatible app, or to whom has its token; a strict one grants nothing. */
const granted: Record<Mode, Record<string, string>> = {
  strict: {},
  compatible: {
    ...inEach(
      [
        'a message is to be signed',
        'typed data is to be signed',
        'a transaction is to be signed',
        'a Solana message is to be signed',
      ],
      () => 'signature',
    ),
    // No way of the person’s own was in force; and who has set one has shown it, for ten minutes.
    ...inEach(
      [
        'recovery is to be a password of the page’s',
        'recovery is to be a key of the page’s',
        'recovery is to be automatic',
        'the wallet is to be made again with a password of the page’s',
      ],
      () => 'recovery changed',
    ),
    'a key of the page’s is to be imported': 'wallet added',
    'stolen token in another HTTP client with an own key, which it has enrolled': 'share, device added',
    'stolen token in another browser with the vault’s own pages': 'signature, device added',
  },
}

for (const mode of modes)
  test(`what a hostile page gets by itself in a ${mode} app${mode === 'strict' ? '' : ' @soak'}`, async ({
    hostileSite: site,
    context,
    browser,
  }) => {
    const opened: BrowserContext[] = []
    const others = async () => {
      const other = await browser.newContext()
      opened.push(other)
      return other
    }
    const table = createTable(`Hostile page by itself, ${mode}`)
    const victim = await newVictim(site, context, mode)
    await heardBy(victim.page)
    const said = Object.entries(messagesOf(victim)).map(([name, [event, data]]): [string, Attempt] => [
      name,
      async () => {
        await say(victim.page, event, data)
        return heardBy(victim.page)
      },
    ])
    await run(table, site, victim, Object.fromEntries(said), others)
    if (mode === 'strict')
      await run(
        table,
        site,
        victim,
        { 'every message after every other one, and all at once': () => everyOrder(victim) },
        others,
      )

    const robbed = await newVictim(site, await others(), mode)
    await heardBy(robbed.page)
    await run(table, site, robbed, { ...outside, ...stolen }, others)

    const forsaken = await newVictim(site, await others(), mode)
    await heardBy(forsaken.page)
    await run(table, site, forsaken, former, others)

    // The login is no longer recent, and the token is still good.
    const late = await newVictim(site, await others(), mode)
    await heardBy(late.page)
    site.pass(16 * minute)
    await run(table, site, late, stolen, others, (name) => `${name}, after the window of a login`)
    table.print()
    for (const other of opened) await other.close()
    expect(table.won()).toEqual(granted[mode])
  })

test('a way of recovery that a person owns is not changed without it once the server has forgotten who set it @soak', async ({
  hostileSite: site,
  context,
}) => {
  const victim = await newVictim(site, context, 'compatible')
  const root = rootOf(victim)
  const password = 'harbor-tide&Lantern7'
  const own = { ...root, recoveryMethod: 'user-passcode', recoveryPassword: password }
  expect(await say(victim.page, 'privy:wallets:set-recovery', own)).toMatchObject({
    recoveryMethod: 'user-passcode',
  })
  site.pass(11 * minute)
  const automatic = { ...root, recoveryMethod: 'privy' }
  const refused = await say(victim.page, 'privy:wallets:set-recovery', automatic)
  expect(refused.error).toBeTruthy()
  expect((await stateOf(site, victim))?.recovery.join()).toContain('user-passcode')
  const shown = { ...automatic, presentPassword: password }
  expect(await say(victim.page, 'privy:wallets:set-recovery', shown)).toMatchObject({
    recoveryMethod: 'privy',
  })
})
