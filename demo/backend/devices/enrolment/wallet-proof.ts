import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { Address, Hex } from 'viem'
import { solanaKey } from '../../chains/address.ts'
import { keySigned } from '../../chains/node.ts'
import { createChainNodes } from '../../chains/nodes.ts'
import { solanaKeySigned } from '../../chains/solana-signature.ts'
import { Refusal, Unavailable } from '../../lib/refusal.ts'
import type { SessionServices } from '../../sessions/services.ts'
import type { KeySession } from '../../wallets/context.ts'
import { countChallenge } from './challenges.ts'
import { type Caller, type ProofKind, proofKind } from './proof-kind.ts'
import { type Standing, standingOf } from './standing.ts'

/** A wallet of the user's own, outside of this server. */
export interface ExternalWallet {
  id: string
  chainType: 'ethereum' | 'solana'
  address: string
  /** Of Ethereum: the chain on which it logged in last. */
  chainId: number
}
interface Composed {
  address: string
  message: string
  until: number
}

const wrongSignature = () =>
  new Refusal('invalid_credentials', 'The signature of this wallet is not valid.', { status: 401 })
const isHex = (text: string): text is Hex => /^0x(?:[\da-f]{2})+$/i.test(text)
/** A statement is one line of a message. */
const oneLine = (text: string) => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')

/** The countable external wallets. One that a user's embedded wallet controls is none. */
export function externalWallets({ accounts }: Standing): ExternalWallet[] {
  return accounts.flatMap(({ id, type, subject, details }) => {
    if (type !== 'ethereum-wallet' && type !== 'solana-wallet') return []
    const chainType = type === 'ethereum-wallet' ? 'ethereum' : 'solana'
    const chainId = typeof details.chainId === 'number' ? details.chainId : 1
    return [{ id: String(id), chainType, address: subject, chainId }]
  })
}

/** Signatures of external wallets over a message that this server composes, and that names the key. */
export function createWalletProof(deps: SessionServices) {
  const { database, oneTime, limits, clock, outside, vaultOrigins } = deps
  const nodeOf = createChainNodes({ rpcUrls: outside.chainRpcUrls, limits })

  /** One message at a time for each wallet and key, in the session that asked for it. */
  const keyOf = ({ app, userId, sessionId, device }: KeySession, id: string) => ({
    kind: 'enrolment wallet',
    appId: app.id,
    value: `${userId} ${sessionId} ${device.thumbprint} ${id}`,
  })
  const find = (standing: Standing, id: string) => externalWallets(standing).find((each) => each.id === id)

  function messageOf(session: KeySession, wallet: ExternalWallet, from: Caller): string {
    const page = from.origin ?? vaultOrigins.at(-1) ?? ''
    const browser = from.place ? `${from.name} (${from.place})` : from.name
    const now = clock()
    const time = (at: number) => new Date(at).toISOString()
    const chain = wallet.chainType === 'ethereum' ? 'Ethereum' : 'Solana'
    const statement = `Let ${browser} use my wallets at ${session.app.name}. The key of that browser is ${session.device.thumbprint}. Sign this only if it is your browser.`
    return [
      `${new URL(page).host} wants you to sign in with your ${chain} account:`,
      wallet.address,
      '',
      oneLine(statement),
      '',
      `URI: ${page}`,
      'Version: 1',
      `Chain ID: ${wallet.chainType === 'ethereum' ? wallet.chainId : 'mainnet'}`,
      `Nonce: ${randomBytes(12).toString('hex')}`,
      `Issued At: ${time(now)}`,
      `Expiration Time: ${time(now + limits.walletNonceLife)}`,
    ].join('\n')
  }

  /** @throws Refusal `not_supported` on a chain that nobody can ask, Unavailable */
  async function isSigned(wallet: ExternalWallet, message: string, signature: string): Promise<boolean> {
    if (wallet.chainType === 'solana') {
      const key = solanaKey(wallet.address)
      const bytes = Buffer.from(signature, 'base64')
      return (
        key !== undefined && bytes.toString('base64') === signature && solanaKeySigned(key, message, bytes)
      )
    }
    if (!isHex(signature) || signature.length > limits.walletSignatureLength) return false
    const address = wallet.address as Address
    const key = await keySigned(address, message, signature)
    if (key !== 'other') return key === 'yes'
    const node = nodeOf(wallet.chainId)
    if (!node) throw new Refusal('not_supported', 'On this chain, only wallets with their own key can sign.')
    return node.contractSigned(address, message, signature)
  }

  const kind: ProofKind = proofKind({
    body: v.strictObject({
      factor: v.literal('wallet'),
      id: v.pipe(v.string(), v.regex(/^\d{1,15}$/)),
      signature: v.pipe(v.string(), v.minLength(1)),
    }),
    async prove(session, { id, signature }, { standing }) {
      const wallet = find(standing, id)
      const key = keyOf(session, id)
      const composed = (await oneTime.take(database, key)) as Composed | undefined
      if (!wallet || composed?.address !== wallet.address) throw wrongSignature()
      try {
        if (!(await isSigned(wallet, composed.message, signature))) throw wrongSignature()
      } catch (cause) {
        if (!(cause instanceof Unavailable)) throw cause
        await oneTime.put(database, { ...key, data: composed, life: composed.until - clock() })
        // Not 503, which a client would wait for and repeat: the user is there and can decide.
        throw new Refusal('invalid_state', cause.message)
      }
      return { enrolledBy: 'wallet' }
    },
  })

  return {
    kind,
    /**
     * Composes the message that a wallet of the user is to sign. An earlier one for the same key is no longer good.
     * @throws Refusal `linked_account_not_found`, `too_many_requests`
     */
    async compose(session: KeySession, id: string, from: Caller): Promise<string> {
      const wallet = find(await standingOf(database, session, limits), id)
      if (!wallet) throw new Refusal('linked_account_not_found', 'There is no such wallet.')
      await countChallenge(deps, session)
      const message = messageOf(session, wallet, from)
      const key = keyOf(session, id)
      const life = limits.walletNonceLife
      const data: Composed = { address: wallet.address, message, until: clock() + life }
      await database.transaction(async (tx) => {
        await oneTime.take(tx, key)
        await oneTime.put(tx, { ...key, data, life })
      })
      return message
    },
  }
}
