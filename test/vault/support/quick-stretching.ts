/**
 * Imported by the suites in folders called `quick`, which make hundreds of wallets with a password: they are about what
 * is kept and what is lost, so a password is stretched by a thousandth of its rounds there. How many rounds it really
 * gets, and that they count, is held by recovery/password.test.ts and recovery/keys.test.ts.
 */
const { subtle } = globalThis.crypto
const derive = subtle.deriveBits.bind(subtle)
const FROM = 600_000

subtle.deriveBits = (how, key, length) => {
  const { iterations = 0 } = how as Partial<Pbkdf2Params>
  return derive(
    iterations < FROM ? how : { ...(how as Pbkdf2Params), iterations: iterations / 1000 },
    key,
    length,
  )
}

export {}
