import { KitError } from '../../errors/kit-error.ts'
import { lazily } from '../../errors/lazily.ts'
import { parseEthereumAddress } from '../../ethereum/address.ts'
import { authenticateWithSiwe, linkSiwe, startSiwe, transferSiwe, unlinkSiwe } from '../../protocol/siwe.ts'
import { readAgain } from '../login-result.ts'
import type { AuthContext } from '../service-context.ts'
import { createProofAuth, type SiweAuth } from './service.ts'

const builder = lazily(() => import('./siwe-message.ts'))

interface MessageInput {
  address: string
  chainId?: string | undefined
  captchaToken?: string | undefined
}

/** Logging in with an Ethereum wallet (docs/protocol.md, "Wallet sign-in"). */
export function createSiweAuth(cx: AuthContext): SiweAuth {
  const { auth, entered, isWallet } = createProofAuth<MessageInput>(cx, {
    method: 'siwe',
    chainType: 'ethereum',
    read,
    same: (one, other) => one.toLowerCase() === other.toLowerCase(),
    keyOf: ({ address, chainId }) => `${String(address).toLowerCase()} ${chainId}`,
    async make({ address: given, chainId: caip = 'eip155:1', captchaToken }, options) {
      const address = parseEthereumAddress(given)
      if (address === undefined) throw new KitError('invalid_data', 'Not a valid Ethereum address')
      const chainId = chainOf(caip)
      const [nonce, { siweMessage }] = await Promise.all([
        startSiwe(cx.http(), { address, captchaToken }, options),
        builder(),
      ])
      const issuedAt = new Date(cx.session.serverNow())
      return siweMessage({ origin: cx.page.origin, address, chainId, nonce, issuedAt })
    },
    authenticate: (http, input, options) => authenticateWithSiwe(http, withChain(input), options),
    link: (http, signed, options) => linkSiwe(http, withChain(signed), options),
    unlink: unlinkSiwe,
  })
  return {
    ...auth,
    async prepare() {
      await builder()
    },
    async transfer({ nonce, address, chainId, ...wallet }, options) {
      const moved = await transferSiwe(cx.http(), { nonce, address, chainId, ...wallet }, options)
      const user = await readAgain(cx, moved, options?.signal)
      entered(wallet.walletClientType)
      const account = user.linkedAccounts.find((each) => isWallet(each, address))
      return { user, isNewUser: false, method: 'siwe', account }
    },
  }
}

/** The number of a chain that CAIP-2 names. */
function chainOf(caip: string): number {
  const [, reference] = /^eip155:([1-9]\d{0,15})$/.exec(caip) ?? []
  if (!Number.isSafeInteger(Number(reference)))
    throw new KitError('unsupported_chain_id', 'Unsupported chainId', {
      details: 'expected eip155:<number>',
    })
  return Number(reference)
}

/** A message's address and chain. */
function read(message: string): { address: string; chainId: string } | undefined {
  const [, address] =
    /^\S{1,300} wants you to sign in with your Ethereum account:\n(0x[0-9a-fA-F]{40})\n/.exec(message) ?? []
  const [, chain] = /^Chain ID: ([1-9]\d{0,15})$/m.exec(message) ?? []
  return address && chain ? { address, chainId: `eip155:${chain}` } : undefined
}

/** The server gets the chain that the message itself names. */
const withChain = <T extends { message: string }>(signed: T) => ({
  ...signed,
  chainId: read(signed.message)?.chainId ?? '',
})
