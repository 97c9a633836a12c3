import { describe, expect, test } from 'vitest'
import { type Bytes, fromBase64url, toBase64url } from '../../../src/vault/bytes.ts'
import { passwordKey, proofOf, stretch } from '../../../src/vault/recovery/keys.ts'
import { readPackage, sealPackage } from '../../../src/vault/recovery/package.ts'
import { limit } from '../../support/limit.ts'
import { appId } from '../support/backend.ts'
import { user } from '../support/person.ts'
import { password, recoveryMethodOf, withRecoveryMethod } from '../support/recovery-methods.ts'
import { evaluationOf } from '../support/server/state.ts'

const headerOf = (text: string) => JSON.parse(Buffer.from(text.split('.')[0] ?? '', 'base64url').toString())

describe('a password', { timeout: limit(30_000) }, () => {
  test('that is wrong opens nothing, and says that it is wrong', async () => {
    const { address, openDevice } = await withRecoveryMethod(recoveryMethodOf('password'))
    const { me, device } = openDevice()
    for (const recoveryPassword of ['wrong password', password.toLowerCase(), ` ${password}`])
      expect((await me.recover(address, { recoveryPassword })).error).toEqual({
        type: 'invalid_recovery_pin',
        message: 'The recovery password is wrong',
      })
    expect(await device.store.list(appId, user)).toEqual([])
  })

  test('that was typed in another form of the same letters is the same', async () => {
    const { me, drives, address, openDevice } = await withRecoveryMethod(recoveryMethodOf('automatic'))
    expect(drives.calls).toEqual([])
    await me.setRecovery(address, { recoveryMethod: 'user-passcode', recoveryPassword: 'Cafe\u0301 \uFB01n' })
    const { me: there } = openDevice()
    expect(await there.recover(address, { recoveryPassword: 'Caf\u00E9 fin' })).toEqual({
      entropyId: address,
    })
  })

  test('is guessed at the server’s pace: then even the right one waits, and a recovery clears the count', async () => {
    const { backend, address, stored, openDevice } = await withRecoveryMethod(recoveryMethodOf('password'))
    backend.state.options.passwordTries = 2
    const { me } = openDevice()
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
    const { backend, address, stored, openDevice } = await withRecoveryMethod(recoveryMethodOf('password'))
    await openDevice().me.recover(address, { recoveryPassword: password })
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

  test('that was stretched less than today is stretched again at its next use', async () => {
    const { backend, address, stored, openDevice } = await withRecoveryMethod(recoveryMethodOf('password'))
    const { kdf } = headerOf(stored.recovery.package)
    const held = backend.state.secrets.get(stored.recovery.secret_id ?? '') ?? expect.unreachable()
    const keyWith = async (iterations: number) => {
      const salt = fromBase64url(kdf.salt) as Bytes
      const stretched = await stretch(password, { iterations, salt })
      held.verifier = toBase64url(await proofOf(stretched))
      const evaluation = evaluationOf(held.secret, held.verifier)
      const key = await passwordKey(stretched, fromBase64url(evaluation) as Bytes, salt)
      return { key, stretching: { iterations, salt } }
    }
    const now = await keyWith(kdf.iterations)
    const { auth, recovery } = await readPackage(stored.recovery.package).open(now.key, stored.walletId)
    const then = await keyWith(600_000)
    const header = { method: 'user-passcode', stretching: then.stretching } as const
    stored.recovery.package = await sealPackage(header, then.key, auth, recovery)

    const iterations = () => headerOf(stored.recovery.package).kdf.iterations
    const back = () => openDevice().me.recover(address, { recoveryPassword: password })
    backend.faults.before = ({ path }) =>
      path.endsWith('/changes') ? new Response('{}', { status: 400 }) : undefined
    // That it can't be raised does not matter: the wallet is back.
    expect(await back()).toEqual({ entropyId: address })
    expect(iterations()).toBe(600_000)
    backend.faults.before = undefined
    expect(await back()).toEqual({ entropyId: address })
    expect(iterations()).toBe(1_000_000)
    expect(await openDevice().me.recover(address, { recoveryPassword: password })).toEqual({
      entropyId: address,
    })
  })

  test('that is too short, or in a request of another way, sets nothing', async () => {
    const { backend, me, address } = await withRecoveryMethod(recoveryMethodOf('automatic'))
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
