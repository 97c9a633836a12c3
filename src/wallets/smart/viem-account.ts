/** A smart account as viem knows it, so that hosts use viem's bundler client with it. */
import type {
  Address,
  Chain,
  Client,
  Hex,
  JsonRpcAccount,
  LocalAccount,
  SignableMessage,
  Transport,
  TypedDataDefinition,
} from 'viem'
import {
  entryPoint06Abi,
  entryPoint07Abi,
  entryPoint08Abi,
  type SmartAccount,
  type SmartAccountImplementation,
  toSmartAccount,
  type UserOperation,
} from 'viem/account-abstraction'
import { readContract } from 'viem/actions'
import { bytesToHex, serializeTypedData, stringToHex } from 'viem/utils'
import type { OwnerPayload, SmartAccountCodec } from './account-codec.ts'

/** The owner's key, wherever it is. */
export interface AccountOwner {
  readonly address: Address
  /** @returns the signature, 65 bytes */
  sign(payload: OwnerPayload): Promise<Hex>
}

export interface SmartAccountOptions {
  readonly codec: SmartAccountCodec
  readonly owner: AccountOwner
  /** With the chain on which the account is used. */
  readonly client: Client<Transport, Chain, JsonRpcAccount | LocalAccount | undefined>
  /** A stored account's address. Without one it is that which the codec computes. */
  readonly address?: Address | undefined
}

const abis = { '0.6': entryPoint06Abi, '0.7': entryPoint07Abi, '0.8': entryPoint08Abi } as const

/**
 * Creates a `SmartAccount` of viem. Before the account is deployed its signatures are wrapped for ERC-6492, as viem's `verifyMessage` and
 * `verifyTypedData` accept them.
 * @example
 * import { createPublicClient, http } from 'viem'
 * import { privateKeyToAccount } from 'viem/accounts'
 * import { mainnet } from 'viem/chains'
 * import { loadSmartAccountCodec } from './accounts/features.ts'
 * import { createSmartAccount } from './viem-account.ts'
 *
 * const key = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
 * const account = await createSmartAccount({
 *   codec: await loadSmartAccountCodec('kernel'),
 *   client: createPublicClient({ chain: mainnet, transport: http() }),
 *   owner: {
 *     address: key.address,
 *     async sign(payload) {
 *       if (payload.type === 'message') return key.signMessage({ message: { raw: payload.raw } })
 *       if (payload.type === 'hash') return key.sign({ hash: payload.hash })
 *       return key.signTypedData(payload.typedData as never)
 *     },
 *   },
 * })
 */
export function createSmartAccount({
  codec,
  owner,
  client,
  address = codec.getAddress(owner.address),
}: SmartAccountOptions): Promise<SmartAccount> {
  const { version } = codec.entryPoint
  const entryPoint = { ...codec.entryPoint, abi: abis[version] }
  const place = { address, chainId: client.chain.id }

  const vouch = async (content: OwnerPayload): Promise<Hex> => {
    const signature = await owner.sign(codec.toContentPayload(content, place))
    return codec.toContentSignature(signature, content, place)
  }
  const implementation: SmartAccountImplementation = {
    client,
    entryPoint,
    getAddress: async () => address,
    encodeCalls: async (calls) =>
      codec.encodeCalls(calls.map(({ to, value = 0n, data = '0x' }) => ({ to, value, data }))),
    decodeCalls: async (callData) => codec.decodeCalls(callData),
    async getFactoryArgs() {
      // An account by EIP-7702 has no factory; its delegation is signed apart.
      return codec.getFactoryArgs(owner.address) ?? { factory: undefined, factoryData: undefined }
    },
    // The account's key of the nonce, in which some name their validator: viem's own would be another.
    getNonce: () =>
      readContract(client, {
        address: entryPoint.address,
        abi: entryPoint07Abi,
        functionName: 'getNonce',
        args: [address, codec.nonceKey],
      }),
    getStubSignature: async () => codec.stubSignature,
    sign: ({ hash }) => vouch({ type: 'hash', hash }),
    signMessage: ({ message }) => vouch({ type: 'message', raw: bytesOf(message) }),
    signTypedData: (typedData) =>
      vouch({
        type: 'typedData',
        typedData: JSON.parse(serializeTypedData(typedData as TypedDataDefinition)) as unknown,
      }),
    async signUserOperation({ chainId = client.chain.id, ...operation }) {
      const complete = { ...operation, sender: operation.sender ?? address } as UserOperation
      return codec.toOperationSignature(await owner.sign(codec.toOperationPayload(complete, chainId)))
    },
  }
  return toSmartAccount(implementation) as Promise<SmartAccount>
}

/** viem gives text, hex or bytes. */
function bytesOf(message: SignableMessage): Hex {
  if (typeof message === 'string') return stringToHex(message)
  return typeof message.raw === 'string' ? message.raw : bytesToHex(message.raw)
}
