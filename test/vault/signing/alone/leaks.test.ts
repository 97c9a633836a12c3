import { getHeapSnapshot, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { systemClock } from '../../../../src/lib/clock.ts'
import { limit } from '../../../support/limit.ts'
import { appId } from '../../support/backend.ts'
import { createDevice, openTab, person } from '../../support/device.ts'
import { user, withWallet } from '../../support/person.ts'
import { secretsOf } from '../../support/secrets.ts'

test('nothing that leaves the vault, and nothing that it stores, holds a secret', async () => {
  const { backend, device, token, me, address } = await withWallet()
  const other = createDevice()
  const there = person(openTab(backend, other), token)
  const imported = `0x${'1f'.repeat(32)}`
  const answers = [
    await me.connect(address),
    await me.sign(address, 'hello'),
    await me.createSolana(),
    await me.add(address, 'ethereum', 1),
    await me.add(address, 'solana', 1),
    await me.importKey('ethereum', imported),
    await me.importKey('ethereum', `${imported.slice(0, -1)}x`),
    await there.connect(address),
    await there.recover(address),
    await there.sign(address, 'hello'),
    await there.sign(address, 'hello', { hdWalletIndex: 1 }),
    await me.clear(user),
  ]
  const sent = backend.calls.map(({ path, headers, body }) => [path, [...headers], body])
  const records = [...(await device.store.list(appId, user)), ...(await other.store.list(appId, user))]
  for (const { deviceKey, authKey } of records)
    expect([deviceKey.extractable, authKey.extractable]).toEqual([false, false])

  const secrets = (await Promise.all(backend.rootsOf(user).map(secretsOf))).flat()
  const captured = JSON.stringify([answers, sent, records])
  const hits = secrets.filter(
    ([, form]) => captured.includes(form) || captured.includes(encodeURIComponent(form)),
  )
  console.log(
    `Leaks: ${secrets.length} forms of secrets in ${captured.length} captured characters: ${hits.length} hits`,
  )
  expect(secrets.length).toBeGreaterThan(50)
  expect(hits).toEqual([])
  const kept = JSON.stringify([answers, records])
  for (const { recovery } of backend.rootsOf(user)) expect(kept).not.toContain(recovery.key)
  expect(kept).not.toContain(token)
})

test('a second after signing, the memory’s snapshot holds no secret', {
  timeout: limit(120_000),
}, async () => {
  const { backend, me, address } = await withWallet()
  const { publicKey = '' } = await me.createSolana()
  const planted = `planted ${crypto.randomUUID()}`
  const message = Buffer.from(planted).toString('base64')
  for (const hdWalletIndex of [0, 1])
    for (const [root, chainType, method, params] of [
      [address, 'ethereum', 'secp256k1_sign', [`0x${'ab'.repeat(32)}`]],
      [publicKey, 'solana', 'signMessage', { message }],
    ] as const)
      expect(await me.rpc(root, { chainType, hdWalletIndex }, { method, params })).toHaveProperty('response')
  await systemClock.sleep(1_000)
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const chunks: Buffer[] = []
  for await (const chunk of getHeapSnapshot()) chunks.push(Buffer.from(chunk))
  const snapshot = Buffer.concat(chunks)
  // Only now, so that the test itself has put none of them there.
  const secrets = (await Promise.all(backend.rootsOf(user).map(secretsOf))).flat()
  const hits = secrets.filter(([, form]) => snapshot.includes(JSON.stringify(form).slice(1, -1)))
  const size = (snapshot.length / 2 ** 20).toFixed(0)
  console.log(`Memory: ${secrets.length} forms of secrets in a snapshot of ${size} MiB: ${hits.length} hits`)
  expect(snapshot.includes(planted)).toBe(true)
  expect(hits).toEqual([])
})
