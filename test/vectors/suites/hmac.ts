import { fromHex, read, type Suite, same, toHex, type Wycheproof } from './suite.ts'

interface Group {
  /** Bits of the tag that are kept. */
  readonly tagSize: number
}
interface Case {
  readonly key: string
  readonly msg: string
  readonly tag: string
}

export const hmac: Suite = {
  name: 'HMAC by WebCrypto',
  async run(load) {
    const count = { valid: 0, refused: 0 }
    for (const [name, hash] of Object.entries({ sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' })) {
      const { testGroups } = await read<Wycheproof<Group, Case>>(load, `wycheproof/hmac_${name}_test.json`)
      for (const { tests, tagSize } of testGroups)
        for (const { tcId, result, key: bytes, msg, tag } of tests) {
          const algorithm = { name: 'HMAC', hash }
          const key = await crypto.subtle.importKey('raw', fromHex(bytes), algorithm, false, ['sign'])
          const full = toHex(await crypto.subtle.sign('HMAC', key, fromHex(msg)))
          same(full.slice(0, tagSize / 4) === tag, result === 'valid', `HMAC ${hash} ${tcId}`)
          if (result === 'valid') count.valid++
          else count.refused++
        }
    }
    return `HMAC: ${count.valid} verified, ${count.refused} refused`
  },
}
