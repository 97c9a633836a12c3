import { eachOf, soak } from '../../support/soak.ts'
import { fromHex, read, type Suite, same, toHex, type Wycheproof } from './suite.ts'

interface Case {
  readonly password: string
  readonly salt: string
  readonly iterationCount: number
  readonly dkLen: number
  readonly dk: string
}
const hashes = { sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' }

export const pbkdf2: Suite = {
  name: 'PBKDF2 by WebCrypto',
  async run(load) {
    const counts: string[] = []
    for (const [name, hash] of Object.entries(hashes)) {
      const file = `wycheproof/pbkdf2_hmac${name}_test.json`
      const { testGroups } = await read<Wycheproof<object, Case>>(load, file)
      let count = 0
      for (const { tests } of testGroups)
        for (const { tcId, password, salt, iterationCount: iterations, dkLen, dk } of eachOf(
          tests,
          soak(5, 1),
        )) {
          const key = await crypto.subtle.importKey('raw', fromHex(password), 'PBKDF2', false, ['deriveBits'])
          const how = { name: 'PBKDF2', hash, salt: fromHex(salt), iterations }
          same(toHex(await crypto.subtle.deriveBits(how, key, dkLen * 8)), dk, `PBKDF2 ${hash} ${tcId}`)
          count++
        }
      counts.push(`${count} ${hash}`)
    }
    return `PBKDF2: ${counts.join(', ')}`
  },
}
