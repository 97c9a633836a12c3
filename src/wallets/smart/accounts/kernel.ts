/** Kernel 0.3.1 with the ECDSA validator as its root. */
import type { Address, Hex } from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import { concatHex, keccak256 } from 'viem/utils'
import type { SmartAccountCodec } from '../account-codec.ts'
import { createCallCodec, executions, functionOf } from './call-forms.ts'
import { create2Address, erc1967Proxy } from './proxies.ts'
import {
  accountTypedData,
  checkSignature,
  hashContent,
  requireVersion,
  STUB_SIGNATURE,
  signsOperationAsMessage,
} from './signatures.ts'

const VERSION = '0.3.1'
const FACTORY = '0xaac5D4240AF87249B3f71BC8E4A2cae074A3E419'
/** Deploys through a factory that its owner has approved. The account's address is that of the factory. */
const META_FACTORY = '0xd703aaE79538628d27099B8c4f621bE4CCd142d5'
const IMPLEMENTATION = '0xBAC849bB641841b44E965fB01A4Bf5F074f84b4D'
const VALIDATOR = '0x845ADb2C711129d4f3966735eD98a9F09fC4cE57'
const NO_HOOK = '0x0000000000000000000000000000000000000000'
const SALT = `0x${'00'.repeat(32)}` as const

/** How signatures and the root name a validator: its type, then its address. */
const validatorId = concatHex(['0x01', VALIDATOR]).toLowerCase() as Hex

const initialize = functionOf(
  'function initialize(bytes21 rootValidator, address hook, bytes validatorData, bytes hookData, bytes[] initConfig)',
)
const createAccount = functionOf('function createAccount(bytes data, bytes32 salt)')
const deployWithFactory = functionOf('function deployWithFactory(address factory, bytes data, bytes32 salt)')

const initializerOf = (owner: Address): Hex => initialize.encode([validatorId, NO_HOOK, owner, '0x', []])

export function createCodec(version?: string): SmartAccountCodec {
  requireVersion('kernel', version, VERSION)
  const entryPoint = { address: entryPoint07Address, version: '0.7' } as const
  return {
    kind: 'kernel',
    version: VERSION,
    entryPoint,
    // Mode and type of the root validator are zero; after its address follow two bytes for parallel nonces.
    nonceKey: BigInt(VALIDATOR) << 16n,
    getFactoryArgs: (owner) => ({
      factory: META_FACTORY,
      factoryData: deployWithFactory.encode([FACTORY, initializerOf(owner), SALT]),
    }),
    getDirectFactoryArgs: (owner) => ({
      factory: FACTORY,
      factoryData: createAccount.encode([initializerOf(owner), SALT]),
    }),
    getAddress: (owner) =>
      create2Address(
        FACTORY,
        keccak256(concatHex([initializerOf(owner), SALT])),
        erc1967Proxy(IMPLEMENTATION),
      ),
    ...createCallCodec(executions),
    stubSignature: STUB_SIGNATURE,
    ...signsOperationAsMessage(entryPoint),
    toOperationSignature: checkSignature,
    toContentPayload: (content, account) =>
      accountTypedData(
        { name: 'Kernel', version: VERSION, ...account },
        'Kernel',
        [{ name: 'hash', type: 'bytes32' }],
        { hash: hashContent(content) },
      ),
    toContentSignature: (signature) => concatHex([validatorId, checkSignature(signature)]),
  }
}
