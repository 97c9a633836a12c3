/** Coinbase Smart Wallet 1 and 1.1, with an address as its first owner. */
import type { Address, Hex } from 'viem'
import { entryPoint06Address } from 'viem/account-abstraction'
import { encodeAbiParameters, keccak256 } from 'viem/utils'
import type { SmartAccountCodec } from '../account-codec.ts'
import { callsInTuples, createCallCodec, functionOf, singleCall } from './call-forms.ts'
import { addressWord, create2Address, erc1967Proxy } from './proxies.ts'
import {
  accountTypedData,
  checkSignature,
  hashContent,
  hashOperation,
  requireVersion,
  STUB_SIGNATURE,
} from './signatures.ts'

const deployments = {
  '1': {
    factory: '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a',
    implementation: '0x000100abaad02f1cfC8Bbe32bD5a564817339E72',
  },
  '1.1': {
    factory: '0xBA5ED110eFDBa3D005bfC882d75358ACBbB85842',
    implementation: '0x00000110dCdEdC9581cb5eCB8467282f2926534d',
  },
} as const

const createAccount = functionOf('function createAccount(bytes[] owners, uint256 nonce)')

/** The owner at index 0 has signed. */
const withOwnerIndex = (signature: Hex): Hex =>
  encodeAbiParameters(
    [
      {
        type: 'tuple',
        components: [
          { name: 'ownerIndex', type: 'uint8' },
          { name: 'signatureData', type: 'bytes' },
        ],
      },
    ],
    [{ ownerIndex: 0, signatureData: signature }],
  )

/** @param version `1` or `1.1`, in which users' stored wallets may have further digits */
export function createCodec(version?: string): SmartAccountCodec {
  requireVersion('coinbase_smart_wallet', version, '1', '1.0', '1.0.0', '1.1', '1.1.0')
  const known = version?.startsWith('1.1') ? '1.1' : '1'
  const { factory, implementation } = deployments[known]
  const entryPoint = { address: entryPoint06Address, version: '0.6' } as const
  return {
    kind: 'coinbase_smart_wallet',
    version: known,
    entryPoint,
    nonceKey: 0n,
    getFactoryArgs: (owner) => ({ factory, factoryData: createAccount.encode([[addressWord(owner)], 0n]) }),
    getAddress(owner: Address) {
      const salt = keccak256(
        encodeAbiParameters([{ type: 'bytes[]' }, { type: 'uint256' }], [[addressWord(owner)], 0n]),
      )
      return create2Address(factory, salt, erc1967Proxy(implementation))
    },
    ...createCallCodec({ single: singleCall('execute'), batch: callsInTuples('executeBatch') }),
    stubSignature: withOwnerIndex(STUB_SIGNATURE),
    // The contract compares with the bare hash, which no method for messages signs.
    toOperationPayload: (operation, chainId) => ({
      type: 'hash',
      hash: hashOperation({ entryPoint }, operation, chainId),
    }),
    toOperationSignature: (signature) => withOwnerIndex(checkSignature(signature)),
    toContentPayload: (content, account) =>
      accountTypedData(
        { name: 'Coinbase Smart Wallet', version: '1', ...account },
        'CoinbaseSmartWalletMessage',
        [{ name: 'hash', type: 'bytes32' }],
        { hash: hashContent(content) },
      ),
    toContentSignature: (signature) => withOwnerIndex(checkSignature(signature)),
  }
}
