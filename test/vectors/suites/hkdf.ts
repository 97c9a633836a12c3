import { fromHex, read, refused, type Suite, same, toHex, type Wycheproof } from './suite.ts'

interface Case {
  readonly ikm: string
  readonly salt: string
  readonly info: string
  readonly size: number
  readonly okm: string
}

export const hkdf: Suite = {
  name: 'HKDF by WebCrypto',
  async run(load) {
    const count = { valid: 0, refused: 0 }
    for (const [name, hash] of Object.entries({ sha256: 'SHA-256', sha512: 'SHA-512' })) {
      const { testGroups } = await read<Wycheproof<object, Case>>(load, `wycheproof/hkdf_${name}_test.json`)
      for (const { tests } of testGroups)
        for (const { tcId, result, ikm, salt, info, size, okm } of tests) {
          const derive = async () => {
            const key = await crypto.subtle.importKey('raw', fromHex(ikm), 'HKDF', false, ['deriveBits'])
            const how = { name: 'HKDF', hash, salt: fromHex(salt), info: fromHex(info) }
            return toHex(await crypto.subtle.deriveBits(how, key, size * 8))
          }
          if (result === 'valid') {
            same(await derive(), okm, `HKDF ${hash} ${tcId}`)
            count.valid++
          } else {
            await refused(derive, `HKDF ${hash} ${tcId}`)
            count.refused++
          }
        }
    }
    return `HKDF: ${count.valid} derived, ${count.refused} refused`
  },
}
