import type { Address, Hex } from 'viem'
import type { UserOperation } from 'viem/account-abstraction'

/** The protocol's `smart_wallet_type`, and the account of a key's own address under EIP-7702. */
export type SmartAccountKind =
  | 'safe'
  | 'kernel'
  | 'biconomy'
  | 'light_account'
  | 'coinbase_smart_wallet'
  | 'thirdweb'
  | 'nexus'
  | 'simple_7702'

export type EntryPointVersion = '0.6' | '0.7' | '0.8'

export interface SmartCall {
  readonly to: Address
  readonly value: bigint
  readonly data: Hex
}

/** A payload that the owner's key signs. Which it is belongs to the account's contract. */
export type OwnerPayload =
  /** EIP-191 over these bytes. */
  | { readonly type: 'message'; readonly raw: Hex }
  /** EIP-712; JSON that `eth_signTypedData_v4` takes. */
  | { readonly type: 'typedData'; readonly typedData: unknown }
  /** The bare digest, which the vault signs for smart accounts alone (`secp256k1_sign`). */
  | { readonly type: 'hash'; readonly hash: Hex }

/** A smart account's bytes: pure, so that the page and the vault read the same operation in the same way. */
export interface SmartAccountCodec {
  readonly kind: SmartAccountKind
  /** The contract's own version, such as `1.4.1`. */
  readonly version: string
  readonly entryPoint: { readonly address: Address; readonly version: EntryPointVersion }
  /** Key of the EntryPoint's nonce (its upper 192 bits), in which Kernel and Nexus name the validator of the signature. */
  readonly nonceKey: bigint
  /** Deployment with the first operation. `undefined`: the account needs none (EIP-7702). */
  getFactoryArgs(owner: Address): { readonly factory: Address; readonly factoryData: Hex } | undefined
  /** The same without a contract in front of the factory, for chains where that is missing. The account's address is the same. */
  getDirectFactoryArgs?(owner: Address): { readonly factory: Address; readonly factoryData: Hex }
  /** The account's address, whether or not it is deployed. */
  getAddress(owner: Address): Address
  /** The code that the account delegates to, where it has that by EIP-7702. */
  readonly implementation?: Address
  encodeCalls(calls: readonly SmartCall[]): Hex
  /**
   * The calls of an operation: the exact inverse of {@link encodeCalls}.
   * @throws InvalidRequest for call data that this account doesn't carry out as calls
   */
  decodeCalls(callData: Hex): readonly SmartCall[]
  /** A signature of the right length and form, with which gas is estimated. */
  readonly stubSignature: Hex
  toOperationPayload(operation: UserOperation, chainId: number): OwnerPayload
  toOperationSignature(ownerSignature: Hex): Hex
  /** The owner's payload by which the account vouches for a message, for typed data or for a bare hash (ERC-1271). */
  toContentPayload(content: OwnerPayload, account: DeployedOn): OwnerPayload
  toContentSignature(ownerSignature: Hex, content: OwnerPayload, account: DeployedOn): Hex
}

/** The place of an account, deployed or not: signatures of ERC-1271 are valid for one account on one chain. */
export interface DeployedOn {
  readonly address: Address
  readonly chainId: number
}
