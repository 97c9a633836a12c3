/** Biconomy Smart Account 2 with the ECDSA ownership module. */
import type { Address, Hex } from 'viem'
import { entryPoint06Address } from 'viem/account-abstraction'
import { encodeAbiParameters, encodePacked, keccak256 } from 'viem/utils'
import type { SmartAccountCodec } from '../account-codec.ts'
import { callsInArrays, createCallCodec, functionOf, singleCall } from './call-forms.ts'
import { create2Address } from './proxies.ts'
import { checkSignature, requireVersion, STUB_SIGNATURE, signsOperationAsMessage } from './signatures.ts'

const VERSION = '2.0.0'
const FACTORY = '0x000000a56Aaca3e9a4C479ea6b6CD0DbcB6634F5'
const MODULE = '0x0000001c5b32F37F5beA87BDD5374eB2aC54eA8e'
const FALLBACK_HANDLER = '0x0bBa6d96BD616BedC6BFaa341742FD43c60b83C1'

/** Hash of the factory's `accountCreationCode()` with the implementation's address behind it. Both are the same on every chain. */
const INIT_CODE_HASH = '0x9e23d82770fbe728cd88babbb4dd51431b0a3c40bfd053a9fba2db0c3edaa369'

const initForSmartAccount = functionOf('function initForSmartAccount(address owner)')
const init = functionOf('function init(address handler, address module, bytes moduleData)')
const deploy = functionOf(
  'function deployCounterFactualAccount(address module, bytes moduleData, uint256 index)',
)

const withModule = (signature: Hex): Hex =>
  encodeAbiParameters([{ type: 'bytes' }, { type: 'address' }], [signature, MODULE])

export function createCodec(version?: string): SmartAccountCodec {
  requireVersion('biconomy', version, VERSION)
  const entryPoint = { address: entryPoint06Address, version: '0.6' } as const
  return {
    kind: 'biconomy',
    version: VERSION,
    entryPoint,
    nonceKey: 0n,
    getFactoryArgs: (owner) => ({
      factory: FACTORY,
      factoryData: deploy.encode([MODULE, initForSmartAccount.encode([owner]), 0n]),
    }),
    getAddress(owner: Address) {
      const initializer = init.encode([FALLBACK_HANDLER, MODULE, initForSmartAccount.encode([owner])])
      const salt = keccak256(encodePacked(['bytes32', 'uint256'], [keccak256(initializer), 0n]))
      return create2Address(FACTORY, salt, { hash: INIT_CODE_HASH })
    },
    ...createCallCodec({ single: singleCall('execute_ncC'), batch: callsInArrays('executeBatch_y6U') }),
    stubSignature: withModule(STUB_SIGNATURE),
    ...signsOperationAsMessage(entryPoint),
    toOperationSignature: (signature) => withModule(checkSignature(signature)),
    // The module accepts the owner's own signature of the content. A bare hash it accepts as a signed message.
    toContentPayload: (content) =>
      content.type === 'hash' ? { type: 'message', raw: content.hash } : content,
    toContentSignature: (signature) => withModule(checkSignature(signature)),
  }
}
