import { type Bytes, randomBytes, utf8, wipe } from '../bytes.ts'
import { VaultError } from '../errors.ts'
import { vaultLimits } from '../limits.ts'
import type { ChainType, OpenRoot, SecretKind, WalletKey, WalletPath } from '../model.ts'
import { ethereumAddress } from './address.ts'
import { entropyToSeed } from './bip39.ts'
import { getPublicKey } from './secp256k1.ts'
import { signPersonal } from './signature.ts'
import { type Curve, HARDENED, withNode } from './slip10.ts'

/** What a root is made of. */
export interface RootSecret {
  readonly walletId: string
  readonly kind: SecretKind
  readonly secret: Bytes
  /** The chain of an imported key; of an entropy, the chain of its first wallet. */
  readonly chainType: ChainType
}

/**
 * Opens a root and lends it to `work`. Each key is derived once. All that is derived is zeroed when `work` is done;
 * the secret itself is the caller's to zero. After that nothing more can be derived: zeros would give a wrong key.
 */
export async function withRoot<T>(root: RootSecret, work: (root: OpenRoot) => T | Promise<T>): Promise<T> {
  const { walletId, kind, secret } = root
  const keys = new Map<string, Promise<WalletKey>>()
  let seed: Promise<Bytes> | undefined
  let closed = false

  async function derive(path: WalletPath): Promise<WalletKey> {
    const { curve, keyOf } = await chains[path.use ? 'solana' : path.chainType]()
    if (kind === 'key') return importedKey(root, path, keyOf)
    seed ??= entropyToSeed(secret)
    return withNode(curve, await seed, pathOf(path), ({ key }) => keyOf(path, key.slice()))
  }

  try {
    return await work({
      walletId,
      kind,
      secret,
      async withKey({ chainType, index, use: purpose }, use) {
        if (closed) throw new Error('The root is closed')
        const name = `${purpose ?? chainType}/${index}`
        const path = { chainType, index, ...(purpose && { use: purpose }) }
        const key = keys.get(name) ?? derive(path)
        keys.set(name, key)
        return use(await key)
      },
    })
  } finally {
    closed = true
    for (const key of await Promise.allSettled(keys.values()))
      if (key.status === 'fulfilled') wipe(key.value.privateKey)
    wipe(await seed?.catch(() => undefined))
  }
}

/**
 * Gets a chain's curve ready: a page's first key takes many times as long as the next, because tables are built for it and browsers
 * compile only what has run a few times. Uses a throw-away root.
 */
export async function warmUp(chainType: ChainType): Promise<void> {
  const secret = randomBytes(secretLength)
  const throwAway: RootSecret = { walletId: '', kind: 'entropy', secret, chainType }
  try {
    for (let times = 0; times < vaultLimits.warmUps; times++)
      await withRoot(throwAway, (root) => root.withKey({ chainType, index: 0 }, (key) => key.prove('')))
  } finally {
    wipe(secret)
  }
}
const secretLength = 16

type KeyOf = (path: WalletPath, privateKey: Bytes) => WalletKey

/** Whose wallets are all of one chain does without the other's curve. */
const chains: Readonly<Record<ChainType, () => Promise<{ curve: Curve; keyOf: KeyOf }>>> = {
  ethereum: async () => ({ curve: 'secp256k1', keyOf: ethereumKey }),
  solana: async () => ({ curve: 'ed25519', keyOf: (await import('./solana-key.ts')).solanaKey }),
}

/** The letters `farc`: no purpose of any standard, so that no wallet has such a path. */
const FARCASTER_PURPOSE = 0x66617263

/** BIP-44: m/44'/60'/0'/0/i, and Solana's m/44'/501'/i'/0'; for Farcaster m/1717662307'/i'. */
export const pathOf = ({ chainType, index, use }: WalletPath): readonly number[] => {
  if (use) return [HARDENED + FARCASTER_PURPOSE, HARDENED + index]
  return chainType === 'ethereum'
    ? [HARDENED + 44, HARDENED + 60, HARDENED, 0, index]
    : [HARDENED + 44, HARDENED + 501, HARDENED + index, HARDENED]
}

function importedKey({ chainType, secret }: RootSecret, path: WalletPath, keyOf: KeyOf): WalletKey {
  if (path.use || path.chainType !== chainType || path.index !== 0)
    throw new VaultError('invalid_request_arguments', 'An imported wallet has no other wallets')
  return keyOf(path, secret.slice())
}

const ethereumKey: KeyOf = ({ chainType, index }, privateKey) => ({
  chainType,
  index,
  privateKey,
  address: ethereumAddress(getPublicKey(privateKey, false)),
  prove: (statement) => signPersonal(utf8(statement), privateKey),
})
