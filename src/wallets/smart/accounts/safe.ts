/** Safe 1.4.1 with the 4337 module 0.3.0, one owner. */
import type { Address, Hex } from 'viem'
import { entryPoint07Address, toPackedUserOperation, type UserOperation } from 'viem/account-abstraction'
import { concatHex, encodePacked, keccak256 } from 'viem/utils'
import { InvalidRequest } from '../../../lib/invalid-request.ts'
import type { OwnerPayload, SmartAccountCodec, SmartCall } from '../account-codec.ts'
import { type CallForm, createCallCodec, functionOf } from './call-forms.ts'
import { create2Address } from './proxies.ts'
import {
  accountTypedData,
  checkSignature,
  requireVersion,
  STUB_SIGNATURE,
  vouchesByHash,
} from './signatures.ts'

const VERSION = '1.4.1'
const FACTORY = '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67'
const SINGLETON = '0x41675C099F32341bf84BFc5382aF534df5C7461a'
const MODULE = '0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226'
const MODULE_SETUP = '0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47'
/** Makes delegate calls as well, and is used at deployment alone. */
const MULTI_SEND = '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526'
/** Carries out a batch. It refuses delegate calls. */
const MULTI_SEND_CALL_ONLY = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2'
const ZERO = '0x0000000000000000000000000000000000000000'

/** Hash of the factory's `proxyCreationCode()` with the singleton's address behind it. Both are the same on every chain. */
const INIT_CODE_HASH = '0x76733d705f71b79841c0ee960a0ca880f779cde7ef446c989e6d23efc0a4adfb'

const CALL = 0
const DELEGATE_CALL = 1

const enableModules = functionOf('function enableModules(address[] modules)')
const multiSend = functionOf('function multiSend(bytes transactions)')
const setup = functionOf(
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
)
const createProxy = functionOf(
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce)',
)
const execute = functionOf(
  'function executeUserOpWithErrorString(address to, uint256 value, bytes data, uint8 operation)',
)

const single: CallForm = {
  encode: ([call]) => execute.encode(call ? [call.to, call.value, call.data, CALL] : []),
  decode(callData) {
    const [to, value, data] = execute.decode(callData) as [Address, bigint, Hex, number]
    return [{ to, value, data }]
  },
}

const batch: CallForm = {
  encode: (calls) =>
    execute.encode([
      MULTI_SEND_CALL_ONLY,
      0n,
      multiSend.encode([concatHex(calls.map((call) => packTransaction(call, CALL)))]),
      DELEGATE_CALL,
    ]),
  decode(callData) {
    const [to, , data, operation] = execute.decode(callData) as [Address, bigint, Hex, number]
    if (operation !== DELEGATE_CALL || to !== MULTI_SEND_CALL_ONLY) throw new InvalidRequest('No batch')
    return unpackTransactions((multiSend.decode(data) as [Hex])[0])
  },
}

/** One entry of a MultiSend: operation, recipient, value, length of the data, data. */
const packTransaction = ({ to, value, data }: SmartCall, operation: number): Hex =>
  encodePacked(
    ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
    [operation, to, value, BigInt((data.length - 2) / 2), data],
  )

/** Digits of the fields of a MultiSend entry before its data. */
const HEAD = 2 + 40 + 64 + 64

function unpackTransactions(packed: Hex): readonly SmartCall[] {
  const calls: SmartCall[] = []
  for (let at = 2; at < packed.length; ) {
    const head = packed.slice(at, at + HEAD)
    // The operation of an entry is that of a call, or else the bytes differ when they are written again.
    const size = BigInt(`0x${head.slice(106)}`)
    const end = at + HEAD + Number(size) * 2
    if (head.length < HEAD || size > BigInt(packed.length) || end > packed.length)
      throw new InvalidRequest('The batch is cut off')
    calls.push({
      to: `0x${head.slice(2, 42)}`,
      value: BigInt(`0x${head.slice(42, 106)}`),
      data: `0x${packed.slice(at + HEAD, end)}`,
    })
    at = end
  }
  return calls
}

function initializerOf(owner: Address): Hex {
  const enabling = { to: MODULE_SETUP, value: 0n, data: enableModules.encode([[MODULE]]) } as const
  const data = multiSend.encode([packTransaction(enabling, DELEGATE_CALL)])
  return setup.encode([[owner], 1n, MULTI_SEND, data, MODULE, ZERO, 0n, ZERO])
}

const operationFields = [
  { type: 'address', name: 'safe' },
  { type: 'uint256', name: 'nonce' },
  { type: 'bytes', name: 'initCode' },
  { type: 'bytes', name: 'callData' },
  { type: 'uint128', name: 'verificationGasLimit' },
  { type: 'uint128', name: 'callGasLimit' },
  { type: 'uint256', name: 'preVerificationGas' },
  { type: 'uint128', name: 'maxPriorityFeePerGas' },
  { type: 'uint128', name: 'maxFeePerGas' },
  { type: 'bytes', name: 'paymasterAndData' },
  { type: 'uint48', name: 'validAfter' },
  { type: 'uint48', name: 'validUntil' },
  { type: 'address', name: 'entryPoint' },
] as const

/** The module signs fields of its own instead of the EntryPoint's hash. The operation is valid at any time. */
function toOperationPayload(operation: UserOperation, chainId: number): OwnerPayload {
  const { initCode, paymasterAndData } = toPackedUserOperation(operation)
  return accountTypedData({ address: MODULE, chainId }, 'SafeOp', operationFields, {
    safe: operation.sender,
    nonce: String(operation.nonce),
    initCode,
    callData: operation.callData,
    verificationGasLimit: String(operation.verificationGasLimit),
    callGasLimit: String(operation.callGasLimit),
    preVerificationGas: String(operation.preVerificationGas),
    maxPriorityFeePerGas: String(operation.maxPriorityFeePerGas),
    maxFeePerGas: String(operation.maxFeePerGas),
    paymasterAndData,
    validAfter: '0',
    validUntil: '0',
    entryPoint: entryPoint07Address,
  })
}

/** Two times of six bytes, which are zero, before the owner's signature. */
const toOperationSignature = (signature: Hex): Hex => concatHex([`0x${'00'.repeat(12)}`, signature])

export function createCodec(version?: string): SmartAccountCodec {
  requireVersion('safe', version, VERSION)
  return {
    kind: 'safe',
    version: VERSION,
    entryPoint: { address: entryPoint07Address, version: '0.7' },
    nonceKey: 0n,
    getFactoryArgs: (owner) => ({
      factory: FACTORY,
      factoryData: createProxy.encode([SINGLETON, initializerOf(owner), 0n]),
    }),
    getAddress(owner) {
      const salt = keccak256(encodePacked(['bytes32', 'uint256'], [keccak256(initializerOf(owner)), 0n]))
      return create2Address(FACTORY, salt, { hash: INIT_CODE_HASH })
    },
    ...createCallCodec({ single, batch }),
    stubSignature: toOperationSignature(STUB_SIGNATURE),
    toOperationPayload,
    toOperationSignature: (signature) => toOperationSignature(checkSignature(signature)),
    ...vouchesByHash('SafeMessage'),
  }
}
