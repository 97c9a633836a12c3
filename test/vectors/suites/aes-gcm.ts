import { fromHex, read, refused, type Suite, same, toHex, type Wycheproof } from './suite.ts'

interface Case {
  readonly key: string
  readonly iv: string
  readonly aad: string
  readonly msg: string
  readonly ct: string
  readonly tag: string
}

/** Sizes of IV (flags SmallIv and LongIv) that WebCrypto of Node does not take. Empty ones must be refused. */
function isOddIv({ iv }: Case): boolean {
  const bits = iv.length * 4
  return (bits > 0 && bits < 96) || bits === 2056
}

const importKey = (hex: string) =>
  crypto.subtle.importKey('raw', fromHex(hex), 'AES-GCM', false, ['encrypt', 'decrypt'])

export const aesGcm: Suite = {
  name: 'AES-GCM by WebCrypto',
  async run(load) {
    const { testGroups } = await read<Wycheproof<object, Case>>(load, 'wycheproof/aes_gcm_test.json')
    // Chromium has no keys of 192 bits. Ours have 256, and IVs of 96.
    const has192 = await importKey('00'.repeat(24)).then(
      () => true,
      () => false,
    )
    const count = { valid: 0, refused: 0, ivs: 0, keys: 0 }
    for (const test of testGroups.flatMap((group) => group.tests)) {
      const how = { name: 'AES-GCM', iv: fromHex(test.iv), additionalData: fromHex(test.aad) }
      const what = `AES-GCM ${test.tcId} ${test.comment}`
      if (isOddIv(test)) count.ivs++
      else if (test.key.length === 48 && !has192) count.keys++
      else if (test.result === 'valid') {
        const key = await importKey(test.key)
        const opened = await crypto.subtle.decrypt(how, key, fromHex(test.ct + test.tag))
        same(toHex(opened), test.msg, what)
        same(toHex(await crypto.subtle.encrypt(how, key, fromHex(test.msg))), test.ct + test.tag, what)
        count.valid++
      } else {
        const key = await importKey(test.key)
        await refused(() => crypto.subtle.decrypt(how, key, fromHex(test.ct + test.tag)), what)
        count.refused++
      }
    }
    const { valid, refused: no, ivs, keys } = count
    const notRun = [
      `${ivs} (IV under 96 or of 2056 bits)`,
      ...(keys ? [`${keys} (no 192-bit keys in this browser)`] : []),
    ]
    return `AES-GCM: ${valid} opened and sealed, ${no} refused; not run: ${notRun.join(', ')}`
  },
}
