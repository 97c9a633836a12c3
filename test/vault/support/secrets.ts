import { expect } from 'vitest'
import { type Bytes, fromBase64url, toBase64url } from '../../../src/vault/bytes.ts'
import { entropyToSeed, mnemonicBytes } from '../../../src/vault/keys/bip39.ts'
import type { OpenRoot } from '../../../src/vault/model.ts'
import { readPackage } from '../../../src/vault/recovery/package.ts'
import { openRoot } from '../../../src/vault/shares/combine.ts'
import type { StoredRoot } from './backend.ts'
import { copyOf } from './roots.ts'

type Form = readonly [name: string, form: string]

/** A secret in the forms in which it might lie somewhere. */
function formsOf(name: string, secret: Uint8Array): Form[] {
  const bytes = Buffer.from(secret)
  return [
    [`${name} as hex`, bytes.toString('hex')],
    [`${name} as base64`, bytes.toString('base64').replace(/=+$/, '')],
    [`${name} as base64url`, toBase64url(secret)],
    [`${name} as numbers`, [...secret].join(',')],
    [`${name} as text`, bytes.toString('latin1')],
  ]
}

/**
 * All secrets of a root with automatic recovery. The test plays the server that turned evil: it alone can open the
 * package, and so knows what to look for.
 */
export async function secretsOf({ walletId, recovery }: StoredRoot): Promise<Form[]> {
  const key = fromBase64url(recovery.key ?? '') ?? expect.unreachable('no key')
  const { auth, recovery: own } = await readPackage(recovery.package).open(key, walletId)
  return [
    ...formsOf('auth share', auth.bytes.slice(0, -1)),
    ...formsOf('recovery share', own.bytes.slice(0, -1)),
    ...(await openRoot(copyOf(auth), copyOf(own), async (root) => [
      ...formsOf(root.kind, root.secret),
      ...(root.kind === 'entropy' ? await derivedFrom(root) : []),
    ])),
  ]
}

async function derivedFrom(root: OpenRoot): Promise<Form[]> {
  const entropy = root.secret.slice() as Bytes
  const paths = (['ethereum', 'solana'] as const).flatMap((chainType) =>
    [0, 1].map((index) => ({ chainType, index })),
  )
  const keys = await Promise.all(
    paths.map((path) =>
      root.withKey(path, (key) => formsOf(`${key.chainType} ${key.index}`, key.privateKey)),
    ),
  )
  return [
    ...keys.flat(),
    ...formsOf('seed', await entropyToSeed(entropy)),
    ...formsOf('mnemonic', mnemonicBytes(entropy)),
  ]
}
