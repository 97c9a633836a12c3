import { createHash } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { canonicalJson } from '../../../src/lib/canonical-json.ts'
import { Refusal, Unavailable } from '../lib/refusal.ts'
import { createPreviewNodes, type PreviewNodes } from '../preview/nodes.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Limits } from '../settings/limits.ts'
import type { Outside } from '../settings/outside.ts'
import type { Database } from '../store/database.ts'
import { countEvent } from '../store/rate-limits.ts'
import { wallets } from '../wallets/tables.ts'
import { denied } from './denials.ts'
import { planEthereum, planGap } from './ethereum.ts'
import type { GrantKeys } from './grant-keys.ts'
import { createLanes } from './lanes.ts'
import type { GrantWallet, Plan } from './plan.ts'
import {
  findUse,
  type GrantRow,
  noteSigned,
  noteUse,
  release,
  requireInForce,
  requireUseLeft,
  reserve,
  reserveGap,
  type UseRow,
} from './reservations.ts'
import { startSettling } from './settle.ts'
import type { TransactionBody } from './signed-request.ts'
import { grants } from './tables.ts'
import { chainsOf } from './terms.ts'
import { shareContext, unsealShare, withWalletKey } from './wallet-key.ts'

export interface Signer {
  /**
   * Signs a transaction within its grant and sends it. The same idempotency key with the same request is one transaction.
   * @throws Refusal `permission_denied` with the reason, `resource_conflict`, `insufficient_funds`, `not_supported`; Unavailable
   */
  execute(grant: GrantRow, body: TransactionBody): Promise<UseRow>
  /** Ends what follows transactions to their end. */
  close(): void
}

const minute = 60_000

/** Acts for users within what they have granted. Nothing else opens the keys of grants. */
export function createSigner(deps: {
  database: Database
  secrets: Secrets
  keys: GrantKeys
  limits: Limits
  outside: Pick<Outside, 'chainRpcUrls' | 'solanaRpcUrls'>
  clock: () => number
  log: (line: string) => void
}): Signer {
  const { database, secrets, keys, limits, outside, clock, log } = deps
  const nodes = createPreviewNodes({ outside, limits })
  const close = startSettling({ database, nodes, limits, clock, log, closeGap })
  const lanes = createLanes(limits.grantLanes)

  async function walletOf({ walletId }: Pick<GrantRow, 'walletId'>): Promise<GrantWallet> {
    const { id, chainType, address } = wallets
    const [wallet] = await database
      .select({ id, chainType, address })
      .from(wallets)
      .where(eq(wallets.id, walletId))
    if (!wallet) throw denied('ended')
    return wallet
  }

  async function signUse(grant: GrantRow, wallet: GrantWallet, plan: Plan, use: UseRow) {
    // Read after the reservation: a grant that was ended meanwhile has no halves any more.
    const [held] = await database
      .select({ encryptedShare: grants.encryptedShare, sealedShare: grants.sealedShare })
      .from(grants)
      .where(and(eq(grants.id, grant.id), isNull(grants.endedAt)))
    if (!held?.encryptedShare || !held.sealedShare) throw denied('ended')
    const split = {
      keyId: grant.keyId,
      encryptedShare: held.encryptedShare,
      share: unsealShare(secrets, grant.id, held.sealedShare),
    }
    const context = shareContext({ appId: grant.appId, userId: grant.userId, address: wallet.address })
    return withWalletKey(keys, split, context, (key) => plan.sign(key, use.nonce ?? undefined))
  }

  return {
    close,
    async execute({ id }, { idempotency_key: key, chain, transaction }) {
      const request = createHash('sha256').update(canonicalJson({ chain, transaction })).digest('base64url')
      const earlier = await findUse(database, id, { key, request })
      if (earlier) return earlier
      const grant = await requireInForce(database, id, clock())
      if (!chainsOf(grant.terms).includes(chain)) throw denied('chain')
      const window = { most: limits.grantCallsPerMinute, span: minute }
      await countEvent(database, `grant ${id}`, clock(), minute, [window])
      return lanes.run(id, () => executeInLane(grant, { key, request, chain, transaction }))
    },
  }

  async function executeInLane(
    grant: GrantRow,
    {
      key,
      request,
      chain,
      transaction,
    }: { key: string; request: string } & Pick<TransactionBody, 'chain' | 'transaction'>,
  ): Promise<UseRow> {
    const { id } = grant
    await requireUseLeft(database, grant)
    const wallet = await walletOf(grant)
    const plan = await planFor(nodes, { grant, wallet, chain, transaction }, { limits, now: clock })
    const { use, isNew } = await reserve(database, id, { plan, key, request, now: clock })
    return isNew ? carryOut(grant, wallet, plan, use) : use
  }

  /** Signs and sends what is counted. */
  async function carryOut(grant: GrantRow, wallet: GrantWallet, plan: Plan, use: UseRow): Promise<UseRow> {
    const signed = await signUse(grant, wallet, plan, use).catch(async (cause: unknown) => {
      // No signature exists, so nothing can ever come of it.
      await release(database, use.id, 'dropped')
      if (!(cause instanceof Refusal)) log(`A grant's transaction could not be signed: ${String(cause)}`)
      throw cause
    })
    // Before it is sent: whatever happens then, it is known what may come.
    if (!(await noteSigned(database, use.id, signed))) throw denied('ended')
    const status = await plan.send(signed.raw)
    await noteUse(database, use.id, { status })
    return { ...use, ...signed, status }
  }

  /** Uses up the free number for which a use waits, as long as its grant lets the fee be paid. */
  async function closeGap({ grantId, walletId, chain, nonce }: UseRow, free: number): Promise<void> {
    if (nonce === null || free >= nonce) return
    try {
      const grant = await requireInForce(database, grantId, clock())
      const wallet = await walletOf({ walletId })
      const chainId = Number(chain.split(':')[1])
      const plan = await planGap(nodes.ethereum(chainId), { wallet, chainId }, { limits, now: clock })
      const use = await reserveGap(database, grantId, { plan, now: clock, gapBelow: nonce })
      if (use) await carryOut(grant, wallet, plan, use)
    } catch (cause) {
      // It is tried again when the use is looked after the next time.
      if (!(cause instanceof Refusal) && !(cause instanceof Unavailable)) throw cause
    }
  }
}

async function planFor(
  nodes: PreviewNodes,
  {
    grant: { terms },
    wallet,
    chain,
    transaction,
  }: { grant: GrantRow; wallet: GrantWallet; chain: string; transaction: TransactionBody['transaction'] },
  context: { limits: Limits; now: () => number },
): Promise<Plan> {
  const [namespace, reference = ''] = chain.split(':')
  const known = namespace === 'solana' ? nodes.solana(reference) : nodes.ethereum(Number(reference))
  if (known.length === 0) throw new Refusal('not_supported', 'This network is not known here.')
  if (namespace === 'solana') {
    if (typeof transaction !== 'string') throw new Refusal('invalid_data', 'Invalid or missing: transaction')
    const { planSolana } = await import('./solana.ts')
    return planSolana(known, { wallet, terms, cluster: reference, transaction }, context)
  }
  if (typeof transaction === 'string') throw new Refusal('invalid_data', 'Invalid or missing: transaction')
  return planEthereum(known, { wallet, terms, chainId: Number(reference), transaction }, context)
}
