/** Managed account of thirdweb for the EntryPoint 0.7. */
import type { Address } from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import { encodeAbiParameters, keccak256 } from 'viem/utils'
import type { SmartAccountCodec } from '../account-codec.ts'
import { callsInArrays, createCallCodec, functionOf, singleCall } from './call-forms.ts'
import { create2Address, minimalProxy } from './proxies.ts'
import {
  checkSignature,
  requireVersion,
  STUB_SIGNATURE,
  signsOperationAsMessage,
  vouchesByHash,
} from './signatures.ts'

const VERSION = '1.5.20'
const FACTORY = '0x4bE0ddfebcA9A5A4a617dee4DeCe99E7c862dceb'
/** `accountImplementation()` of the factory, which is fixed at its deployment. */
const IMPLEMENTATION = '0x94eC38a5d2EDA5A543Ab4c08D998338D4082beb2'
const NO_DATA = '0x'

const createAccount = functionOf('function createAccount(address admin, bytes data)')

export function createCodec(version?: string): SmartAccountCodec {
  requireVersion('thirdweb', version, VERSION)
  const entryPoint = { address: entryPoint07Address, version: '0.7' } as const
  return {
    kind: 'thirdweb',
    version: VERSION,
    entryPoint,
    nonceKey: 0n,
    getFactoryArgs: (owner) => ({ factory: FACTORY, factoryData: createAccount.encode([owner, NO_DATA]) }),
    getAddress(owner: Address) {
      const salt = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes' }], [owner, NO_DATA]))
      return create2Address(FACTORY, salt, minimalProxy(IMPLEMENTATION))
    },
    ...createCallCodec({ single: singleCall('execute'), batch: callsInArrays('executeBatch') }),
    stubSignature: STUB_SIGNATURE,
    ...signsOperationAsMessage(entryPoint),
    toOperationSignature: checkSignature,
    ...vouchesByHash('AccountMessage', { name: 'Account', version: '1' }),
  }
}
