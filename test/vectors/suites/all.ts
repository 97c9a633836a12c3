import { aesGcm } from './aes-gcm.ts'
import { base58Fixtures } from './base58.ts'
import { bip32 } from './bip32.ts'
import { english, otherLanguages } from './bip39.ts'
import { caipExamples } from './caip.ts'
import { ecdsa } from './ecdsa.ts'
import { ed25519Suite } from './ed25519.ts'
import { eip55 } from './eip55.ts'
import { eip191 } from './eip191.ts'
import { eip712 } from './eip712.ts'
import { hkdf } from './hkdf.ts'
import { hmac } from './hmac.ts'
import { jose } from './jose.ts'
import { pbkdf2 } from './pbkdf2.ts'
import { phone } from './phone.ts'
import { siwsBuilding } from './siws.ts'
import { slip10 } from './slip10.ts'
import type { Suite } from './suite.ts'
import { telegram } from './telegram.ts'

export const suites: readonly Suite[] = [
  english,
  otherLanguages,
  bip32,
  slip10,
  ed25519Suite,
  eip55,
  eip191,
  eip712,
  aesGcm,
  pbkdf2,
  hkdf,
  hmac,
  ecdsa,
  jose,
  telegram,
  phone,
  caipExamples,
  base58Fixtures,
  siwsBuilding,
]
