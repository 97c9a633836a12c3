/** Biconomy Smart Account 2 with the ECDSA ownership module. */
import type { Address, Hex } from 'viem'
import { entryPoint06Address } from 'viem/account-abstraction'
import { concatHex, encodeAbiParameters, encodePacked, keccak256 } from 'viem/utils'
import type { SmartAccountCodec } from '../account-codec.ts'
import { callsInArrays, createCallCodec, functionOf, singleCall } from './call-forms.ts'
import { addressWord, create2Address } from './proxies.ts'
import { checkSignature, requireVersion, STUB_SIGNATURE, signsOperationAsMessage } from './signatures.ts'

const VERSION = '2.0.0'
const FACTORY = '0x000000a56Aaca3e9a4C479ea6b6CD0DbcB6634F5'
const IMPLEMENTATION = '0x0000002512019Dafb59528B82CB92D3c5D2423aC'
const MODULE = '0x0000001c5b32F37F5beA87BDD5374eB2aC54eA8e'
const FALLBACK_HANDLER = '0x0bBa6d96BD616BedC6BFaa341742FD43c60b83C1'

/** `accountCreationCode()` of the factory, which is the same on every chain; before the implementation's address. */
const PROXY_CREATION_CODE =
  '0x6080346100aa57601f61012038819003918201601f19168301916001600160401b038311848410176100af578084926020946040528339810103126100aa57516001600160a01b0381168082036100aa5715610065573055604051605a90816100c68239f35b60405162461bcd60e51b815260206004820152601e60248201527f496e76616c696420696d706c656d656e746174696f6e206164647265737300006044820152606490fd5b600080fd5b634e487b7160e01b600052604160045260246000fdfe608060405230546000808092368280378136915af43d82803e156020573d90f35b3d90fdfea2646970667358221220a03b18dce0be0b4c9afe58a9eb85c35205e2cf087da098bbf1d23945bf89496064736f6c63430008110033'

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
      return create2Address(FACTORY, salt, concatHex([PROXY_CREATION_CODE, addressWord(IMPLEMENTATION)]))
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
