import { getHeapSnapshot, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { systemClock } from '../../../../src/lib/clock.ts'
import { limit } from '../../../support/limit.ts'
import { appId } from '../../support/backend.ts'
import { user } from '../../support/person.ts'
import {
  password,
  recoveryMethodOf,
  recoveryMethods,
  withRecoveryMethod,
} from '../../support/recovery-methods.ts'
import { secretsOf } from '../../support/secrets.ts'

const automatic = recoveryMethodOf('automatic')

test('through every recovery method, nothing that leaves the vault or is stored holds a secret', {
  timeout: limit(60_000),
}, async () => {
  const { backend, drives, me, address, stored, device, openDevice } = await withRecoveryMethod(automatic)
  const first = { ...stored, recovery: stored.recovery }
  const answers: unknown[] = []
  const records = [...(await device.store.list(appId, user))]
  for (const method of recoveryMethods) {
    answers.push(await me.setRecovery(address, method.set(drives)))
    const { me: there, device: other } = openDevice()
    answers.push(await there.recover(address, { recoveryPassword: 'a wrong guess' }))
    answers.push(await there.recover(address, method.use(drives)))
    records.push(...(await other.store.list(appId, user)))
  }
  const secrets = await secretsOf(first)
  const sent = [...backend.calls, ...drives.calls].map(({ init }) => String(init.body))
  const captured = JSON.stringify([answers, sent, records])
  const hits = secrets.filter(([, form]) => captured.includes(JSON.stringify(form).slice(1, -1)))
  console.log(
    `Recovery: ${secrets.length} forms of secrets in ${captured.length} captured characters: ${hits.length} hits`,
  )
  expect(hits).toEqual([])
  expect(captured).not.toContain(password)
  expect(answers.filter((answer) => JSON.stringify(answer).includes('error')).length).toBeLessThan(
    recoveryMethods.length,
  )
})

test('a second after a recovery by password, the memory’s snapshot holds no key', {
  timeout: limit(120_000),
}, async () => {
  const { drives, me, address, stored, openDevice } = await withRecoveryMethod(automatic)
  const first = { ...stored, recovery: stored.recovery }
  const method = recoveryMethodOf('password')
  expect(await me.setRecovery(address, method.set(drives))).toHaveProperty('recoveryMethod')
  expect(await openDevice().me.recover(address, method.use(drives))).toEqual({ entropyId: address })
  await systemClock.sleep(1_000)
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const chunks: Buffer[] = []
  for await (const chunk of getHeapSnapshot()) chunks.push(Buffer.from(chunk))
  const snapshot = Buffer.concat(chunks)
  // Only now, so that the test itself has put none of them there.
  const secrets = await secretsOf(first)
  const hits = secrets.filter(([, form]) => snapshot.includes(JSON.stringify(form).slice(1, -1)))
  const size = (snapshot.length / 2 ** 20).toFixed(0)
  console.log(`Memory: ${secrets.length} forms of secrets in a snapshot of ${size} MiB: ${hits.length} hits`)
  expect(hits).toEqual([])
})
