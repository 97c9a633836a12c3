import '../transaction-copy.ts'
import { decodeCall } from '../../../../ethereum/call-decoder.ts'
import { chainOf } from '../../../../ethereum/chains.ts'
import { readAllowances } from '../../../../ethereum/edit-allowance.ts'
import { findSponsorName } from '../../../../ethereum/sponsors.ts'
import { formatTransaction } from '../../../../ethereum/transaction.ts'
import {
  deploymentOf,
  mostCostOf,
  parseUserOperation,
  paymasterOf,
} from '../../../../ethereum/user-operation.ts'
import { InvalidRequest } from '../../../../lib/invalid-request.ts'
import type { PlainObject } from '../../../../lib/plain.ts'
import type { SignRequestOf } from '../../../../protocol/frame/sign-request.ts'
import { approveCalls } from '../../../../signing/calls/approve-calls.tsx'
import type { StandingAllowance, Untried } from '../../../../signing/preview.ts'
import { withTrial } from '../../../../signing/transaction/explain.ts'
import { missingKnowledge, toPreview } from '../../../../signing/transaction/preview.ts'
import { toOperationPreview } from '../../../../signing/user-operation/preview.ts'
import type { SmartAccountCodec } from '../../../../wallets/smart/account-codec.ts'
import { fetchPreview, type ServerPreview } from '../../../server/preview.ts'
import type { SignatureRequest } from '../../../signing/ethereum.ts'
import { chains } from '../chains.ts'
import { tokensNeeded } from '../needed.ts'
import { type ReadContext, type SignReview, toReview } from '../review.ts'
import { balanceChangesOf, disputeWarnings, pricesOf, tokenAsset, triedWarnings } from '../server-preview.ts'
import { loadOwnAccount, readOwnerSigning } from './account.ts'

/** The server's previews of the calls. The first one's stands for all where only one is asked for, such as the balance. */
interface ServerPreviews extends ServerPreview {
  readonly each: readonly (ServerPreview | undefined)[]
}

/** An operation of a smart account: its calls are read out of the bytes that its account is called with, and nothing else is shown. */
export async function readOperation(
  request: SignRequestOf<'userOperation'>,
  { requester: { origin, app }, knowledge, sponsors }: ReadContext,
): Promise<SignReview> {
  const { account, state } = request
  const codec = await loadOwnAccount(account, request.address)
  const operation = parseOwnOperation(request, codec)
  const { chainId } = account
  const sender = operation.sender as `0x${string}`
  const calls = codec.decodeCalls(operation.callData).map((call) => ({ ...call, chainId, from: sender }))
  const { findFacts, asked: _, since: __, ...words } = knowledge
  const preparing = state === 'preparing'
  const paymaster = paymasterOf(operation)
  // A name that came by way of the page could be anybody's.
  const name = paymaster && findSponsorName(sponsors, chainId, paymaster)
  const sponsor = paymaster && { address: paymaster, name, isNamedByApp: name !== undefined }
  const previewWith = (server: ServerPreviews | undefined, untried: Untried) => {
    const each = calls.map((call, at) => {
      const said = server?.each[at]
      const contract = decodeCall(call.data, call.to)?.contract ?? call.to
      const read = toPreview(chains, call, {
        ...words,
        origin,
        app,
        wallet: sender,
        findFacts,
        balanceChanges: said ? balanceChangesOf(said, coinOf(chainId)) : untried,
        // The account may have a deposit at the EntryPoint beside it, so it alone doesn't decide whether the account can pay.
        ...(said && {
          asset: tokenAsset(said, contract),
          prices: pricesOf(said),
          warnings: [...(triedWarnings(said) ?? []), ...disputeWarnings(said)],
        }),
      })
      return withTrial(read)
    })
    const preview = toOperationPreview(each, {
      ...(!preparing && {
        fee: mostCostOf(operation),
        ...(sponsor && {
          sponsor: { ...sponsor, ...(untried !== 'waiting' && { mayTake: standingIn(server) }) },
        }),
      }),
      deploysAccount: deploymentOf(operation) !== undefined,
    })
    return {
      ...preview,
      ...(server?.balance !== undefined && { balance: server.balance }),
      ...(state === 'underfunded' && { isUnderfunded: true }),
    }
  }
  const propsWith = (server: ServerPreviews | undefined, untried: Untried = 'unanswered') => ({
    preview: previewWith(server, untried),
    ...(preparing && { preparing }),
  })
  const missing = calls.map((call) => missingKnowledge(call, words))
  const contracts = unique(missing.flatMap((each) => each.contracts))
  const tokens = unique(missing.flatMap((each) => each.tokens))
  return toReview(approveCalls, propsWith(undefined, 'waiting'), 'high', {
    needed: contracts.length + tokens.length > 0 ? { chainId, contracts, messages: [], tokens } : undefined,
    tokens: tokensNeeded(
      chainId,
      calls.flatMap(({ data, to }) => readAllowances(data, to)),
    ),
    ...(!preparing && {
      async confirm(vault, token): Promise<ServerPreviews> {
        const before: PlainObject[] = []
        const asking = calls.map((call) => {
          const transaction = formatTransaction(call)
          const after = [...before]
          before.push(transaction)
          return fetchPreview(vault, token, {
            address: sender,
            chain: `eip155:${chainId}`,
            request: {
              transaction,
              ...(after.length > 0 && { after }),
              ...(sponsor && !sponsor.isNamedByApp && { paymaster: sponsor.address }),
            },
          })
        })
        const [opening, ...following] = asking
        if (!opening) throw new InvalidRequest('The operation has no calls')
        // Without what the server says of a later one it is displayed by its bytes.
        const rest = Promise.all(following.map((each) => each.catch(() => undefined)))
        const first = await opening
        return { ...first, each: [first, ...(await rest)] }
      },
      confirmed: (server) => propsWith(server as ServerPreviews | undefined),
    }),
  })
}

/** The hash of an operation, computed by the vault from the operation that it has read. */
export async function readOperationSigning(
  request: SignRequestOf<'userOperation'>,
): Promise<SignatureRequest> {
  const { account, address } = request
  const codec = await loadOwnAccount(account, address)
  const operation = parseOwnOperation(request, codec)
  return readOwnerSigning(codec.toOperationPayload(operation, account.chainId), address)
}

/** An operation of the account itself, which deploys nothing but this account. */
function parseOwnOperation(
  { account, address: owner, operation: raw }: SignRequestOf<'userOperation'>,
  codec: SmartAccountCodec,
) {
  const operation = parseUserOperation(raw, codec.entryPoint.version)
  if (operation.sender.toLowerCase() !== account.address.toLowerCase())
    throw new InvalidRequest('The operation is of another account')
  const deployment = deploymentOf(operation)
  const ways = [codec.getFactoryArgs, codec.getDirectFactoryArgs].map((way) => way?.(owner as `0x${string}`))
  const isOwn = ways.some(
    (own) =>
      own?.factory.toLowerCase() === deployment?.factory.toLowerCase() &&
      own?.factoryData.toLowerCase() === deployment?.factoryData.toLowerCase(),
  )
  if (deployment && !isOwn) throw new InvalidRequest('The operation deploys something else than its account')
  // Some accounts read out of it by what a signature is checked.
  if (operation.nonce >> 64n !== codec.nonceKey)
    throw new InvalidRequest('The operation has a nonce of another kind')
  // Only operations that can be displayed as calls are signed.
  codec.decodeCalls(operation.callData)
  return operation
}

/** Allowances of the paymaster in the tokens of all calls; `unread` if those of one call are unknown, and no other has any. */
function standingIn(server: ServerPreviews | undefined): readonly StandingAllowance[] | 'unread' {
  const found = new Map<string, StandingAllowance>()
  for (const said of server?.each ?? [])
    for (const allowance of said?.mayTake ?? []) {
      const asset = said && tokenAsset(said, allowance.token)
      found.set(allowance.token, { ...allowance, ...(asset && { asset }) })
    }
  const isRead = server?.each.every((said) => said?.mayTake) === true
  return isRead || found.size > 0 ? [...found.values()] : 'unread'
}

const unique = (list: readonly string[]) => [...new Set(list)]

/** An unknown chain's coin has no known symbol; every EVM chain counts it in 18 decimals. */
const coinOf = (chainId: number) => chainOf(chains, chainId)?.nativeCurrency ?? { symbol: '', decimals: 18 }
