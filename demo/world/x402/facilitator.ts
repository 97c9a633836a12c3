import {
  type Address,
  createTestClient,
  type Hex,
  http,
  parseAbi,
  parseSignature,
  publicActions,
  verifyTypedData,
  walletActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { usdcAddresses, usdcDomain } from '../chains/usdc.ts'

/** The facilitator's account. Its key is public, like anvil's. */
const facilitatorKey: Hex = `0x${'f4'.repeat(32)}`
const token = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
])
const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** A way to pay, in the words of version 2. */
export interface Requirements {
  readonly scheme: string
  /** CAIP-2. */
  readonly network: string
  readonly amount: string
  readonly asset: string
  readonly payTo: string
}
interface Authorization {
  readonly from: Address
  readonly to: Address
  readonly value: string
  readonly validAfter: string
  readonly validBefore: string
  readonly nonce: Hex
}
export interface Payload {
  readonly signature: Hex
  readonly authorization: Authorization
}
export interface Verified {
  readonly isValid: boolean
  readonly invalidReason?: string
  readonly payer?: string
}
export interface Settled {
  readonly success: boolean
  readonly errorReason?: string
  /** Empty where there is none. */
  readonly transaction: string
  readonly network: string
  readonly payer?: string
}

export interface Facilitator {
  verify(payload: Payload, wanted: Requirements): Promise<Verified>
  /** Sends the signed transfer, and resolves once the chain has it. */
  settle(payload: Payload, wanted: Requirements): Promise<Settled>
}

/** Checks payments and sends them to the demo's chains, as x402's facilitators do. @param chains nodes by chain id */
export function createFacilitator(chains: Readonly<Record<string, string>>): Facilitator {
  const account = privateKeyToAccount(facilitatorKey)
  /** One at a time, so that each has a number of its own. */
  let last: Promise<unknown> = Promise.resolve()

  const clientOf = (chainId: number) =>
    createTestClient({ mode: 'anvil', account, transport: http(chains[chainId]), pollingInterval: 50 })
      .extend(publicActions)
      .extend(walletActions)

  function callOf({ signature, authorization }: Payload, address: Address) {
    const { from, to, value, validAfter, validBefore, nonce } = authorization
    const { r, s, yParity } = parseSignature(signature)
    const times = [BigInt(validAfter), BigInt(validBefore)] as const
    return {
      address,
      abi: token,
      functionName: 'transferWithAuthorization',
      args: [from, to, BigInt(value), ...times, nonce, yParity + 27, r, s],
      account,
    } as const
  }

  async function verify(payload: Payload, wanted: Requirements): Promise<Verified> {
    const refused = (invalidReason: string): Verified => ({ isValid: false, invalidReason, payer })
    const { signature, authorization } = payload
    const payer = authorization.from
    const chainId = Number(wanted.network.split(':')[1])
    const address = usdcAddresses[chainId]
    if (wanted.scheme !== 'exact') return refused('unsupported_scheme')
    if (!address || !chains[chainId] || address.toLowerCase() !== wanted.asset.toLowerCase())
      return refused('invalid_network')
    const message = {
      ...authorization,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
    }
    const domain = { ...usdcDomain, chainId, verifyingContract: address }
    const primaryType = 'TransferWithAuthorization'
    const isSigned = await verifyTypedData({ address: payer, domain, types, primaryType, message, signature })
    if (!isSigned) return refused('invalid_exact_evm_payload_signature')
    if (authorization.to.toLowerCase() !== wanted.payTo.toLowerCase())
      return refused('invalid_exact_evm_payload_recipient_mismatch')
    if (message.value !== BigInt(wanted.amount))
      return refused('invalid_exact_evm_payload_authorization_value')
    const now = BigInt(Math.floor(Date.now() / 1_000))
    if (message.validBefore < now + 6n) return refused('invalid_exact_evm_payload_authorization_valid_before')
    if (message.validAfter > now) return refused('invalid_exact_evm_payload_authorization_valid_after')
    try {
      await clientOf(chainId).simulateContract(callOf(payload, address))
    } catch {
      return refused('invalid_exact_evm_transaction_simulation_failed')
    }
    return { isValid: true, payer }
  }

  async function send(payload: Payload, { network }: Requirements): Promise<Settled> {
    const chainId = Number(network.split(':')[1])
    const client = clientOf(chainId)
    await client.setBalance({ address: account.address, value: 10n ** 20n })
    const call = callOf(payload, usdcAddresses[chainId] as Address)
    const hash = await client.writeContract({ ...call, gas: 200_000n, chain: null })
    const { status } = await client.waitForTransactionReceipt({ hash })
    const payer = payload.authorization.from
    return status === 'success'
      ? { success: true, transaction: hash, network, payer }
      : { success: false, errorReason: 'invalid_transaction_state', transaction: hash, network, payer }
  }

  return {
    verify,
    async settle(payload, wanted) {
      const { isValid, invalidReason = 'unexpected_settle_error', payer } = await verify(payload, wanted)
      const { network } = wanted
      if (!isValid)
        return {
          success: false,
          errorReason: invalidReason,
          transaction: '',
          network,
          ...(payer && { payer }),
        }
      const own = last.then(() => send(payload, wanted))
      last = own.catch(() => {})
      return own
    },
  }
}
