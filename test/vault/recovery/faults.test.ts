import { describe, expect, test } from 'vitest'
import { type Bytes, fromBase64url, toBase64url } from '../../../src/vault/bytes.ts'
import { passwordKey, proofOf, stretch } from '../../../src/vault/recovery/keys.ts'
import { readPackage, sealPackage } from '../../../src/vault/recovery/package.ts'
import { appId, makeToken } from '../support/backend.ts'
import { user } from '../support/person.ts'
import { createDevice, openTab, person } from '../support/rig.ts'
import { evaluationOf } from '../support/server/state.ts'
import { password, wayOf, ways, withWay } from '../support/ways.ts'

const damaged = { type: 'error', message: 'The recovery data of this wallet is damaged' }
const unsupported = { type: 'error', message: 'This wallet has a way of recovery that is not supported here' }
const headerOf = (text: string) => JSON.parse(Buffer.from(text.split('.')[0] ?? '', 'base64url').toString())
const withHeader = (text: string, change: object) => {
  const header = { ...headerOf(text), ...change }
  const first = Buffer.from(JSON.stringify(header)).toString('base64url')
  return [first, ...text.split('.').slice(1)].join('.')
}

describe('a password', () => {
  test('that is wrong opens nothing, and says that it is wrong', async () => {
    const { address, sitDown } = await withWay(wayOf('password'))
    const { me, device } = sitDown()
    for (const recoveryPassword of ['wrong password', password.toLowerCase(), ` ${password}`])
      expect((await me.recover(address, { recoveryPassword })).error).toEqual({
        type: 'invalid_recovery_pin',
        message: 'The recovery password is wrong',
      })
    expect(await device.store.list(appId, user)).toEqual([])
  })

  test('that was typed in another form of the same letters is the same', async () => {
    const { me, drives, address, sitDown } = await withWay(wayOf('automatic'))
    expect(drives.calls).toEqual([])
    await me.setRecovery(address, { recoveryMethod: 'user-passcode', recoveryPassword: 'Cafe\u0301 \uFB01n' })
    const { me: there } = sitDown()
    expect(await there.recover(address, { recoveryPassword: 'Caf\u00E9 fin' })).toEqual({
      entropyId: address,
    })
  })

  test('is guessed at the server’s pace: then even the right one waits, and a recovery clears the count', async () => {
    const { backend, address, stored, sitDown } = await withWay(wayOf('password'))
    backend.state.options.passwordTries = 2
    const { me } = sitDown()
    const guess = (recoveryPassword: string) => me.recover(address, { recoveryPassword })
    for (let turn = 0; turn < 2; turn++)
      expect((await guess('wrong one')).error?.type).toBe('invalid_recovery_pin')
    const limited = { type: 'error', message: 'Too many requests (code 429)' }
    expect((await guess('wrong one')).error).toEqual(limited)
    expect((await guess(password)).error).toEqual(limited)
    backend.state.options.passwordTries = 10
    expect(await guess(password)).toEqual({ entropyId: address })
    expect(stored.tries).toBe(0)
  })

  test('never leaves the vault, nor does anything that it could be guessed from without the server', async () => {
    const { backend, address, stored, sitDown } = await withWay(wayOf('password'))
    await sitDown().me.recover(address, { recoveryPassword: password })
    const { kdf } = headerOf(stored.recovery.package)
    const salt = fromBase64url(kdf.salt) as Bytes
    const stretched = await stretch(password, { iterations: kdf.iterations, salt })
    const proof = toBase64url(await proofOf(stretched))
    const secret = backend.state.secrets.get(stored.recovery.secret_id ?? '')?.secret ?? expect.unreachable()
    const evaluation = fromBase64url(evaluationOf(secret, proof)) as Bytes
    const key = await passwordKey(stretched, evaluation, salt)
    const sent = backend.calls.map(({ init }) => String(init.body)).join('\n')
    for (const bytes of [stretched, key]) {
      expect(sent).not.toContain(toBase64url(bytes))
      expect(sent).not.toContain(Buffer.from(bytes).toString('hex'))
    }
    expect(sent).not.toContain(password)
    expect(sent.split(proof)).toHaveLength(3)
    // A thief of the database alone has no proof to compare a guess with.
    expect(JSON.stringify([stored, ...stored.sets])).not.toContain(proof)
  })

  test('that was stretched less than today is stretched anew at its next use', async () => {
    const { backend, address, stored, sitDown } = await withWay(wayOf('password'))
    const { kdf } = headerOf(stored.recovery.package)
    const secret = backend.state.secrets.get(stored.recovery.secret_id ?? '')?.secret ?? expect.unreachable()
    const keyWith = async (iterations: number) => {
      const salt = fromBase64url(kdf.salt) as Bytes
      const stretched = await stretch(password, { iterations, salt })
      const evaluation = evaluationOf(secret, toBase64url(await proofOf(stretched)))
      const key = await passwordKey(stretched, fromBase64url(evaluation) as Bytes, salt)
      return { key, stretching: { iterations, salt } }
    }
    const now = await keyWith(kdf.iterations)
    const { auth, recovery } = await readPackage(stored.recovery.package).open(now.key, stored.walletId)
    const then = await keyWith(600_000)
    const header = { method: 'user-passcode', stretching: then.stretching } as const
    stored.recovery.package = await sealPackage(header, then.key, auth, recovery)

    expect(await sitDown().me.recover(address, { recoveryPassword: password })).toEqual({
      entropyId: address,
    })
    expect(headerOf(stored.recovery.package).kdf.iterations).toBe(1_000_000)
    expect(await sitDown().me.recover(address, { recoveryPassword: password })).toEqual({
      entropyId: address,
    })
  })

  test('whose stretching can’t be raised has still brought the wallet back', async () => {
    const { backend, address, sitDown } = await withWay(wayOf('password'))
    backend.faults.before = ({ path }) =>
      path.endsWith('/changes') ? new Response('{}', { status: 400 }) : undefined
    const { me } = sitDown()
    expect(await me.recover(address, { recoveryPassword: password })).toEqual({ entropyId: address })
    expect(await me.sign(address, 'x')).toHaveProperty('response')
  })

  test('that is too short, or in a request of another way, sets nothing', async () => {
    const { backend, me, address } = await withWay(wayOf('automatic'))
    const calls = backend.calls.length
    for (const data of [
      { recoveryMethod: 'user-passcode', recoveryPassword: '12345' },
      { recoveryMethod: 'google-drive', recoveryPassword: password, recoveryAccessToken: 't' },
      { recoveryMethod: 'user-passcode' },
      {
        recoveryMethod: 'user-passcode',
        recoveryPassword: password,
        existingRecoveryMethod: 'carrier-pigeon',
      },
    ])
      expect((await me.setRecovery(address, data)).error?.type).toBe('invalid_request_arguments')
    expect(backend.calls).toHaveLength(calls)
  })
})

describe('a drive', () => {
  const drives = ways.filter(({ name }) => name === 'Google Drive' || name === 'iCloud')

  test.each(drives)('$name of another account has no such file', async (way) => {
    const { address, sitDown, drives } = await withWay(way)
    const other = way.name === 'iCloud' ? drives.icloudToken('two') : drives.googleToken('two')
    const { me } = sitDown()
    const { error } = await me.recover(address, { recoveryAccessToken: other })
    expect(error).toEqual({ type: 'error', message: 'The recovery file is not in this drive' })
    expect(await me.recover(address, way.use(drives))).toEqual({ entropyId: address })
  })

  test.each(drives)('$name with a file that somebody has changed gives no key', async (way) => {
    const { address, sitDown, drives } = await withWay(way)
    const { me, device } = sitDown()
    for (const [id, text] of drives.google.get('one') ?? [])
      drives.google.get('one')?.set(id, text.replace(/"secret":"./, '"secret":"?'))
    for (const fields of drives.icloud.get('one')?.values() ?? []) fields.secret = { value: 'another secret' }
    const { error } = await me.recover(address, way.use(drives))
    expect(error).toEqual({ type: 'error', message: 'This recovery secret does not open the wallet' })
    expect(await device.store.list(appId, user)).toEqual([])
  })

  test.each(drives)('$name that does not keep what it takes: the old way of recovery stays', async (way) => {
    const { address, me, stored, drives, sitDown } = await withWay(wayOf('automatic'))
    drives.faults.after = () => {
      drives.google.get('one')?.clear()
      drives.icloud.get('one')?.clear()
    }
    expect((await me.setRecovery(address, way.set(drives))).error?.type).toBe('error')
    expect(stored.recovery.method).toBe('privy')
    expect(await sitDown().me.recover(address)).toEqual({ entropyId: address })
  })

  test.each(drives)('$name is not written to while the wallet is not on the device', async (way) => {
    const { address, sitDown, drives } = await withWay(wayOf('automatic'))
    const { error } = await sitDown().me.setRecovery(address, way.set(drives))
    expect(error?.type).toBe('wallet_not_on_device')
    expect(drives.calls).toEqual([])
  })

  test.each(drives)('$name gets nothing but a random secret and whose it is', async (way) => {
    const { drives, stored } = await withWay(way)
    const sent = drives.calls.map(({ init }) => String(init.body)).join('\n')
    expect(sent).toContain(stored.walletId)
    expect(sent).not.toContain(stored.recovery.package.split('.')[1])
    for (const share of stored.sets.values()) expect(sent).not.toContain(share)
    const kept = JSON.stringify([...(drives.google.get('one') ?? []), ...(drives.icloud.get('one') ?? [])])
    const secret =
      /secret[^\w-]+(?:value[^\w-]+)?([\w-]{43})/.exec(kept)?.[1] ?? expect.unreachable('no secret')
    expect(JSON.stringify(stored)).not.toContain(secret)
  })

  test('of a native app’s making has its own file: its secret opens the wallet, the website’s drive does not', async () => {
    const { address, sitDown, drives } = await withWay(wayOf('iCloud of a native app'))
    const { me } = sitDown()
    const { error } = await me.recover(address, { recoveryAccessToken: drives.icloudToken() })
    expect(error?.message).toBe('The recovery file is not in this drive')
    expect(await me.recover(address, wayOf('iCloud of a native app').use(drives))).toEqual({
      entropyId: address,
    })
  })

  test('whose settings make no sense is not asked', async () => {
    const { backend, address, me, drives } = await withWay(wayOf('automatic'))
    const good = backend.routes.icloud
    for (const bad of [
      {},
      { ...good, environment: '../../public' },
      { ...good, container_identifier: 'a/b' },
      { ...good, api_token: 5 },
    ]) {
      backend.routes.icloud = bad
      expect((await me.setRecovery(address, wayOf('iCloud').set(drives))).error?.type).toBe('error')
    }
    expect(drives.calls).toEqual([])
  })
})

describe('a server that is wrong', () => {
  test.each(ways)(
    'gives no key away by any exchange of what it keeps for $name',
    { timeout: 30_000 },
    async (way) => {
      const { drives, address, stored, sitDown, me } = await withWay(way)
      const another = await withWay(way)
      await me.importKey('ethereum', '17'.repeat(32))
      const { recovery } = stored
      const good = { ...recovery }
      const [header = '', auth = '', rest = ''] = good.package.split('.')
      const [, foreignAuth = '', foreignRest = ''] = another.stored.recovery.package.split('.')
      const { device, me: there } = sitDown()
      const other = way.method === 'icloud' ? 'google-drive' : 'icloud'
      const bad: [string, object][] = [
        ['nothing', { package: '' }],
        ['a longer one', { package: `${good.package}A` }],
        ['another wallet’s', { package: another.stored.recovery.package }],
        ['another’s auth share', { package: [header, foreignAuth, rest].join('.') }],
        ['another’s recovery share', { package: [header, auth, foreignRest].join('.') }],
        ['twice the same share', { package: [header, auth, auth].join('.') }],
        ['another method', { package: withHeader(good.package, { method: other }) }],
        ['another method of its own', { method: other }],
        ['another check', { package: withHeader(good.package, { check: toBase64url(new Uint8Array(16)) }) }],
        [
          'weak stretching',
          {
            package: withHeader(good.package, {
              kdf: { name: 'PBKDF2-SHA256', iterations: 1, salt: 'A'.repeat(22) },
            }),
          },
        ],
      ]
      let refused = 0
      for (const [what, change] of bad) {
        Object.assign(recovery, good, change)
        const { error } = await there.recover(address, way.use(drives))
        // What stands in the header but belongs to passwords is authenticated all the same.
        expect(error?.type, what).toMatch(/^(error|invalid_recovery_pin)$/)
        expect(await device.store.list(appId, user), what).toEqual([])
        refused++
      }
      console.log(`${way.name}: ${refused} exchanges by the server, 0 keys`)
      Object.assign(recovery, good)
      expect(await there.recover(address, way.use(drives))).toEqual({ entropyId: address })
    },
  )

  test('can’t pass the package of one root off as another’s', async () => {
    const { backend, address, me, sitDown, stored } = await withWay(wayOf('automatic'))
    const { address: imported = '' } = await me.importKey('ethereum', '17'.repeat(32))
    const other = backend.rootsOf(user)[1] ?? expect.unreachable('no second root')
    const answerFor = (root: typeof other) => ({ ...root.recovery, wallet_id: root.walletId })
    backend.faults.after = ({ path }) => {
      const swapped = path.startsWith(`/${address}/`) ? answerFor(other) : answerFor(stored)
      if (path.endsWith('/recovery/package'))
        return Response.json({
          wallet_id: swapped.wallet_id,
          recovery_method: swapped.method,
          recovery_package: swapped.package,
        })
      if (path.endsWith('/recovery/key_material'))
        return Response.json({ recovery_type: 'privy_generated_recovery_key', recovery_key: swapped.key })
    }
    for (const name of [address, imported]) {
      const { me: there, device } = sitDown()
      expect((await there.recover(name)).error).toEqual(damaged)
      expect(await device.store.list(appId, user)).toEqual([])
    }
  })

  test('that does not keep a new package to the letter is not asked to confirm it', async () => {
    const { backend, address, me, drives, sitDown } = await withWay(wayOf('automatic'))
    backend.faults.after = ({ path }) =>
      path.endsWith('/changes') ? Response.json({ recovery_package: 'another' }) : undefined
    expect((await me.setRecovery(address, wayOf('own key').set(drives))).error?.type).toBe('error')
    expect(backend.calls.filter(({ path }) => path.endsWith('/confirm'))).toEqual([])
    backend.faults.after = undefined
    expect(await sitDown().me.recover(address)).toEqual({ entropyId: address })
  })

  test('a newer one’s way of recovery is named, and nothing is lost', async () => {
    const { backend, address, me, stored, sitDown } = await withWay(wayOf('automatic'))
    const good = { ...stored.recovery }
    for (const change of [
      { method: 'carrier-pigeon' },
      { package: withHeader(good.package, { v: 3 }) },
      { package: withHeader(good.package, { method: 'carrier-pigeon' }) },
    ]) {
      Object.assign(stored.recovery, good, change)
      expect((await sitDown().me.recover(address)).error).toEqual(unsupported)
    }
    Object.assign(stored.recovery, good)
    backend.faults.after = ({ path }) =>
      path.endsWith('/key_material') ? Response.json({ recovery_type: 'newer' }) : undefined
    expect((await sitDown().me.recover(address)).error).toEqual(unsupported)
    expect(await me.sign(address, 'x')).toHaveProperty('response')
  })

  test('answers of any kind end in a typed error', async () => {
    const { backend, address, sitDown } = await withWay(wayOf('password'))
    const answers = [
      () => new Response('<h1>Oops</h1>'),
      () => Response.json([]),
      () => Response.json({}),
      () => Response.json({ evaluation: 'AAAA', wallet_id: 'x', recovery_package: 5, recovery_method: 5 }),
      () => new Response('{}', { status: 500 }),
      () => new Response('{}', { status: 429 }),
      () => Response.json({ code: 'invalid_auth_token' }, { status: 401 }),
    ]
    for (const end of ['/package', '/evaluate', '/devices'])
      for (const answer of answers) {
        backend.faults.before = ({ path }) => (path.endsWith(end) ? answer() : undefined)
        const { me, device } = sitDown()
        const { error } = await me.recover(address, { recoveryPassword: password })
        if (end === '/devices' && !error) continue
        expect(error?.type).toBe('error')
        backend.faults.before = undefined
        expect((await device.store.list(appId, user)).every(({ committed }) => !committed)).toBe(true)
      }
  })
})

describe('somebody else', () => {
  test('with a login of their own reaches nothing of the wallet', async () => {
    const { backend, address, drives, stored } = await withWay(wayOf('password'))
    const other = person(openTab(backend, createDevice()), makeToken('did:privy:two'))
    expect((await other.recover(address, { recoveryPassword: password })).error?.type).toBe('error')
    const { error } = await other.setRecovery(address, wayOf('Google Drive').set(drives))
    expect(error?.type).toBe('wallet_not_on_device')
    expect(stored.recovery.method).toBe('user-passcode')
  })

  test('with the person’s login, and without a device, changes nothing', async () => {
    const { backend, address, stored, drives, sitDown } = await withWay(wayOf('password'))
    const before = { ...stored.recovery }
    for (const way of ways) {
      const { error } = await sitDown().me.setRecovery(address, way.set(drives))
      expect(error?.type).toBe('wallet_not_on_device')
    }
    expect(stored.recovery).toEqual(before)
    expect(backend.calls.filter(({ path }) => path.includes('/changes'))).toEqual([])
  })
})

test('a confirmation whose answer was lost is asked for once more', async () => {
  const { backend, address, me, drives, stored } = await withWay(wayOf('automatic'))
  let lost = 0
  backend.faults.after = ({ path }) =>
    path.endsWith('/confirm') && lost++ === 0 ? new Response('{}', { status: 429 }) : undefined
  expect(await me.setRecovery(address, wayOf('own key').set(drives))).toHaveProperty('recoveryMethod')
  expect(stored.recovery.method).toBe('recovery-encryption-key')
  expect(lost).toBe(2)
})
