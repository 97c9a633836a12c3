import { expect, test } from 'vitest'
import { fromBase64url, toBase64url } from '../../src/vault/bytes.ts'
import { entropyToSeed, mnemonicBytes } from '../../src/vault/derive.ts'
import { importSealingKey } from '../../src/vault/keys.ts'
import { openPackage } from '../../src/vault/recovery-package.ts'
import { withWallet as putTogether } from '../../src/vault/shares.ts'
import { appId } from './support/backend.ts'
import { user, withWallet } from './support/person.ts'
import { createDevice, openTab, person } from './support/rig.ts'

/** A secret in the forms in which it might lie somewhere. */
function formsOf(name: string, secret: Uint8Array): [string, string][] {
  const bytes = Buffer.from(secret)
  return [
    [`${name} as hex`, bytes.toString('hex')],
    [`${name} as base64`, bytes.toString('base64').replace(/=+$/, '')],
    [`${name} as base64url`, toBase64url(secret)],
    [`${name} as numbers`, [...secret].join(',')],
    [`${name} as text`, bytes.toString('latin1')],
  ]
}

test('nothing that leaves the vault, and nothing that it stores, holds a secret', async () => {
  const { backend, device, token, me, address, stored } = await withWallet()
  const other = createDevice()
  const there = person(openTab(backend, other), token)
  const answers = [
    await me.connect(address),
    await me.sign(address, 'hello'),
    await there.connect(address),
    await there.recover(address),
    await there.sign(address, 'hello'),
    await there.sign(address, 'hello', { chainType: 'solana' }),
    await me.clear(user),
  ]
  const sent = backend.calls.map(({ path, headers, body }) => [path, [...headers], body])
  const records = [...(await device.store.list(appId, user)), ...(await other.store.list(appId, user))]
  for (const { deviceKey, authKey } of records)
    expect([deviceKey.extractable, authKey.extractable]).toEqual([false, false])

  // The test plays the server that turned evil: it alone can open the package, and so knows what to look for.
  const key = await importSealingKey(fromBase64url(stored.recoveryKey) ?? expect.unreachable('no key'))
  const shares = await openPackage(key, stored.recoveryPackage, {
    walletId: stored.walletId,
    address: address.toLowerCase(),
  })
  const secrets = [
    ...formsOf('auth share', shares.auth.bytes.slice(0, 16)),
    ...formsOf('recovery share', shares.recovery.bytes.slice(0, 16)),
    ...(await putTogether(shares.auth, shares.recovery, async ({ entropy, privateKey }) => [
      ...formsOf('entropy', entropy),
      ...formsOf('private key', privateKey),
      ...formsOf('seed', await entropyToSeed(entropy)),
      ...formsOf('mnemonic', mnemonicBytes(entropy)),
    ])),
  ]
  const captured = JSON.stringify([answers, sent, records])
  const hits = secrets.filter(
    ([, form]) => captured.includes(form) || captured.includes(encodeURIComponent(form)),
  )
  console.log(
    `Leaks: ${secrets.length} forms of secrets in ${captured.length} captured characters: ${hits.length} hits`,
  )
  expect(hits).toEqual([])
  expect(JSON.stringify([answers, records])).not.toContain(stored.recoveryKey)
  expect(JSON.stringify([answers, records])).not.toContain(token)
})
