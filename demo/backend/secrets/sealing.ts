import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { refreshSealingKeys, type Secrets } from './secrets.ts'

/**
 * Encrypts a text for the database with AES-256-GCM.
 * @param name what the value is and whose; it opens only with the same words, so values cannot be swapped
 * @returns `<key id>.<iv>.<ciphertext and tag>` in base64url
 */
export function seal(secrets: Secrets, name: string, text: string): string {
  const [current] = secrets.sealingKeys
  if (!current) throw new Error('There is no sealing key')
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', current.key, iv).setAAD(Buffer.from(name))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${current.id}.${iv.toString('base64url')}.${sealed.toString('base64url')}`
}

/**
 * Opens what {@link seal} closed.
 * @throws Error when the key is gone, or the value was changed or belongs elsewhere
 */
export function unseal(secrets: Secrets, name: string, value: string): string {
  const [id, iv, sealed] = value.split('.')
  const find = () => secrets.sealingKeys.find((key) => key.id === id)
  let found = find()
  if (!found) {
    // A rotation may have put the key there just now.
    refreshSealingKeys(secrets)
    found = find()
  }
  if (!found || !iv || !sealed) throw new Error(`No sealing key '${id}' for ${name}`)
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', found.key, Buffer.from(iv, 'base64url'), {
    authTagLength: 16,
  })
    .setAAD(Buffer.from(name))
    .setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8')
}
