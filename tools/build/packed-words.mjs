/**
 * BIP-39's list of words in a kilobyte less: each word as the number of letters that it begins with as the one before it, and the
 * others. Whoever shows a key, sets a password or signs for the first time waits for it.
 */
const list = /\/@scure\/bip39\/wordlists\/english\.js$/

export function packedWords() {
  return {
    name: 'packed-words',
    async transform(_code, id) {
      if (!list.test(id)) return null
      const { wordlist } = await import(id)
      const packed = pack(wordlist)
      if (unpack(packed).join() !== wordlist.join()) this.error('The list of words could not be packed')
      const code = `export const wordlist = /* @__PURE__ */ Object.freeze((${unpack})('${packed}'))`
      return { code, map: null }
    },
  }
}

function pack(words) {
  let before = ''
  return words
    .map((word) => {
      let shared = 0
      while (shared < word.length && word[shared] === before[shared]) shared++
      before = word
      return shared + word.slice(shared)
    })
    .join('')
}

/** Runs in browsers: its own text is what they are sent. */
function unpack(packed) {
  let word = ''
  return Array.from(packed.matchAll(/(\d)(\D*)/g), ([, shared, rest]) => {
    word = word.slice(0, shared) + rest
    return word
  })
}
