import type { Bytes } from '../bytes.ts'

const ALGORITHM = { name: 'AES-GCM', length: 256 }

/** A new AES-GCM-256 key that no script can read; the browser keeps it, and IndexedDB can store it. */
export const newSealingKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey(ALGORITHM, false, ['encrypt', 'decrypt'])

/** Makes a sealing key of 32 bytes; the caller wipes them. */
export const importSealingKey = (bytes: Bytes): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytes, ALGORITHM, false, ['encrypt', 'decrypt'])
