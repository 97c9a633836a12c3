import { bytesToHex, utf8 } from '../../../src/vault/bytes.ts'
import { personalDigest } from '../../../src/vault/keys/signature.ts'
import { signerOf } from './signer.ts'
import { type Suite, same } from './suite.ts'

/** Published examples: of web3.js (`accounts.sign`), and of eth-account (`sign_message`). */
const examples = [
  {
    privateKey: '0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318',
    address: '0x2c7536E3605D9C16a7a3D7b1898e529396a65c23',
    message: 'Some data',
    digest: '1da44b586eb0729ff70a73c326926f6ed5a25f5b056e7f47fbc6e58d86871655',
    signature:
      '0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c',
  },
  {
    privateKey: '0xb25c7db31feed9122727bf0939dc769a96564b2de4c4726d035b36ecf1e5b364',
    address: '0x5ce9454909639D2D17A3F753ce7d93fa0b9aB12E',
    message: 'I♥SF',
    digest: '1476abb745d423bf09273f1afd887d951181d25adc66c4834a70491911b7f750',
    signature:
      '0xe6ca9bba58c88611fad66a6ce8f996908195593807c4b38bd528d2cff09d4eb33e5bfbbf4d3e39b1a2fd816a7680c19ebebaf3a141b239934ad43cb33fcec8ce1c',
  },
]

export const eip191: Suite = {
  name: 'EIP-191, through the vault’s requests',
  async run() {
    for (const { privateKey, address, message, digest, signature } of examples) {
      same(bytesToHex(personalDigest(utf8(message))), digest, `${message}: digest`)
      const signer = await signerOf(privateKey)
      same(signer.address, address, 'address')
      const hex = `0x${bytesToHex(utf8(message))}`
      for (const form of [message, hex]) {
        same(await signer.rpc('personal_sign', [form, address]), signature, `personal_sign ${form}`)
        same(await signer.rpc('eth_sign', [address, form]), signature, `eth_sign ${form}`)
      }
      same(await signer.rpc('secp256k1_sign', [`0x${digest}`]), signature, 'secp256k1_sign')
    }
    return `EIP-191: ${examples.length} published signatures, by personal_sign, eth_sign and secp256k1_sign`
  },
}
