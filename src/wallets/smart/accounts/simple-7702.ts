/** Simple7702Account of the EntryPoint 0.8: the owner's own address, with its code by EIP-7702. */
import { entryPoint08Address, getUserOperationTypedData, type UserOperation } from 'viem/account-abstraction'
import type { OwnerPayload, SmartAccountCodec } from '../account-codec.ts'
import { callsInTuples, createCallCodec, singleCall } from './call-forms.ts'
import { checkSignature, requireVersion, STUB_SIGNATURE } from './signatures.ts'

const VERSION = '0.8.0'

/** The code that an owner's address delegates to. */
export const SIMPLE_7702_IMPLEMENTATION = '0xe6Cae83BdE06E4c305530e199D7217f42808555B'

function toOperationPayload(operation: UserOperation, chainId: number): OwnerPayload {
  const { domain, types, primaryType, message } = getUserOperationTypedData({
    chainId,
    entryPointAddress: entryPoint08Address,
    userOperation: operation as UserOperation<'0.8'>,
  })
  const {
    sender,
    nonce,
    initCode,
    callData,
    accountGasLimits,
    preVerificationGas,
    gasFees,
    paymasterAndData,
  } = message
  return {
    type: 'typedData',
    typedData: {
      domain,
      types,
      primaryType,
      message: {
        sender,
        nonce: String(nonce),
        initCode,
        callData,
        accountGasLimits,
        preVerificationGas: String(preVerificationGas),
        gasFees,
        paymasterAndData,
      },
    },
  }
}

export function createCodec(version?: string): SmartAccountCodec {
  requireVersion('simple_7702', version, VERSION)
  return {
    kind: 'simple_7702',
    version: VERSION,
    entryPoint: { address: entryPoint08Address, version: '0.8' },
    nonceKey: 0n,
    getFactoryArgs: () => undefined,
    implementation: SIMPLE_7702_IMPLEMENTATION,
    getAddress: (owner) => owner,
    ...createCallCodec({ single: singleCall('execute'), batch: callsInTuples('executeBatch') }),
    stubSignature: STUB_SIGNATURE,
    toOperationPayload,
    toOperationSignature: checkSignature,
    // The account accepts what its key signs, as before it had code. It compares with the bare hash, so a hash without content stays one.
    toContentPayload: (content) => content,
    toContentSignature: checkSignature,
  }
}
