import type { Hex } from 'viem'
import { Refusal } from './refusal.ts'

export interface WalletClaim {
  appId: string
  userId: string
  walletId: string
  address: string
}

/** The text that a new wallet signs (EIP-191), so that nobody registers an address that is not theirs. */
export const proofText = ({ appId, userId, walletId, address }: WalletClaim) =>
  `Latchkey embedded wallet\napp: ${appId}\nuser: ${userId}\naddress: ${address}\nwallet: ${walletId}`

/**
 * Checks that an address has its EIP-55 form, and that its key signed {@link proofText}.
 * @throws Refusal `invalid_data`, or `invalid_credentials` (401) for a signature by another key
 */
export async function checkWalletProof(claim: WalletClaim, signature: string): Promise<void> {
  const { getAddress, isAddress, recoverMessageAddress } = await import('viem')
  if (!isAddress(claim.address, { strict: false }) || getAddress(claim.address) !== claim.address)
    throw new Refusal('invalid_data', 'The wallet address is not in its checksum form.')
  const signer = await recoverMessageAddress({
    message: proofText(claim),
    signature: signature as Hex,
  }).catch(() => undefined)
  if (signer !== claim.address)
    throw new Refusal('invalid_credentials', 'The wallet did not sign this registration.', { status: 401 })
}
