import { createHmac, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { chmod, link, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as v from 'valibot'

const key256 = v.pipe(
  v.string(),
  v.base64(),
  v.transform((text) => Buffer.from(text, 'base64')),
  v.check((key) => key.length === 32, 'must be 32 bytes in base64'),
)

const secretsText = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    /**
     * ES256 keys in PEM (PKCS #8) that once signed for all apps (sessions/app-keys.ts): their tokens are good until
     * they expire. An installation made since has none.
     */
    signingKeys: v.optional(v.array(v.pipe(v.string(), v.startsWith('-----BEGIN PRIVATE KEY-----'))), []),
    /**
     * P-256 keys in PEM (PKCS #8) to which vaults encrypt what a permission needs (grants/grant-keys.ts), the current one first. An
     * installation without any gives no permissions.
     */
    grantKeys: v.optional(v.array(v.pipe(v.string(), v.startsWith('-----BEGIN PRIVATE KEY-----'))), []),
    /** Keys the hashes of codes and the refresh tokens that follow one another. Not to be changed. */
    pepper: key256,
    /** Seals what is secret at rest. The first one seals; each sealed value names the one it needs. */
    sealingKeys: v.pipe(
      v.array(
        v.object({
          id: v.pipe(v.string(), v.regex(/^[\w-]{1,36}$/)),
          key: key256,
          /** When the rotation put it there, in Unix milliseconds. */
          since: v.optional(v.number()),
        }),
      ),
      v.minLength(1),
    ),
  }),
)

export type Secrets = v.InferOutput<typeof secretsText>

/**
 * The secrets from the environment, or those that the folder keeps; made there once, readable by the owner alone.
 * @param given the JSON text of the secrets, if the environment has them
 * @throws Error that says what is wrong, without showing any of it
 */
export async function loadSecrets(dataDir: string, given: string | undefined): Promise<Secrets> {
  if (given !== undefined) return read(given, 'LATCHKEY_SECRETS')
  const file = secretsFile(dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await makeOnce(file)
  if (((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600)
  const secrets = read(await readFile(file, 'utf8'), file)
  files.set(secrets, file)
  return secrets
}

/** Where a data folder keeps the secrets. */
export const secretsFile = (dataDir: string) => join(dataDir, 'secrets.json')

/** The file that secrets came from, where there is one to look into again. */
const files = new WeakMap<Secrets, string>()

/** Loads sealing keys that were added or removed. If the file can't be read, the known ones stay. */
export function refreshSealingKeys(secrets: Secrets): void {
  const file = files.get(secrets)
  if (file === undefined) return
  try {
    const now = read(readFileSync(file, 'utf8'), file)
    if (now.pepper.equals(secrets.pepper)) secrets.sealingKeys = now.sealingKeys
  } catch {
    // It is gone, or somebody is at work on it: the next look is soon.
  }
}

/** Rewrites the secrets of a folder, completely or not at all. */
export async function saveSecrets(dataDir: string, { pepper, sealingKeys, ...rest }: Secrets): Promise<void> {
  const file = secretsFile(dataDir)
  const draft = `${file}.${randomUUID()}`
  const base64 = (key: Buffer) => key.toString('base64')
  const keys = sealingKeys.map(({ key, ...more }) => ({ ...more, key: base64(key) }))
  const text = JSON.stringify({ ...rest, pepper: base64(pepper), sealingKeys: keys }, undefined, 2)
  try {
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.writeFile(`${text}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, file)
    await syncFolder(dataDir)
  } finally {
    await rm(draft, { force: true })
  }
}

/** A new name is kept through a power cut only once its folder is on the disk: values under the new key come after. */
async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders, and keeps names by itself.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function read(text: string, where: string): Secrets {
  const result = v.safeParse(secretsText, text)
  if (result.success) return result.output
  const wrong = result.issues.map((issue) => v.getDotPath(issue) ?? 'not JSON').join(', ')
  throw new Error(`The secrets in ${where} cannot be used: ${wrong}`)
}

/** Linked into place whole: of several processes that start at once, the first one's secrets count. */
async function makeOnce(file: string): Promise<void> {
  if (await stat(file).catch(() => undefined)) return
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, `${JSON.stringify(newSecrets(), undefined, 2)}\n`, { mode: 0o600, flush: true })
  try {
    await link(draft, file)
    await syncFolder(dirname(file))
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause
  } finally {
    await rm(draft, { force: true })
  }
}

function newSecrets() {
  return {
    grantKeys: [newGrantKey()],
    pepper: randomBytes(32).toString('base64'),
    sealingKeys: [newSealingKey()].map(({ id, key }) => ({ id, key: key.toString('base64') })),
  }
}

/** A new random key; its id says which one sealed a value. */
export const newSealingKey = () => ({ id: `k-${randomBytes(4).toString('hex')}`, key: randomBytes(32) })

const newGrantKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })

/** A key of its own for each use of the pepper, so that no value of one use means anything in another. */
export function keyedHash(
  secrets: Secrets,
  use:
    | 'code'
    | 'code-source'
    | 'refresh'
    | 'fingerprint'
    | 'one-time'
    | 'guest'
    | 'proof-nonce'
    | 'recovery-code',
  ...parts: string[]
): Buffer {
  const key = createHmac('sha256', secrets.pepper).update(`latchkey ${use}`).digest()
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest()
}
