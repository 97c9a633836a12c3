/** Another app that asks, as the vault's own server says it. */
import { parseMessage } from '../../../ethereum/message.ts'
import { parseTransaction, type TransactionRequest } from '../../../ethereum/transaction.ts'
import { parseTypedData } from '../../../ethereum/typed-data.ts'
import { canonicalJson } from '../../../lib/canonical-json.ts'
import { InvalidRequest } from '../../../lib/invalid-request.ts'
import type { Plain } from '../../../lib/plain.ts'
import type { SignRequest, SignRequestOf } from '../../../protocol/frame/sign-request.ts'
import { type AppRequest, reviewAppRequest } from '../../server/app-requests.ts'
import type { ApprovalContext } from '../purpose.ts'
import type { RequestedFrom } from './review.ts'
import { readCalls } from './user-operation/calls.ts'

/** Requests as the server has them, by their ids. */
export type KnownRequests = Map<string, Promise<AppRequest>>

/**
 * Finds the other app that asks. A page that names another app's request has to ask for that very content.
 * @param known what was read before: a page brings the same request more than once
 * @throws InvalidRequest for other content, or the `VaultError` of the server
 */
export async function findRequester(
  { vault, token }: ApprovalContext<'sign'>,
  asked: SignRequest,
  id: string,
  known: KnownRequests,
): Promise<RequestedFrom> {
  const finding = known.get(id) ?? token().then((present) => reviewAppRequest(vault, present, id))
  known.set(id, finding)
  const request = await finding
  if (!(await isSame(asked, request))) throw new InvalidRequest('The other app asks for something else')
  const { name, origin } = request.requester
  return { origin, app: name }
}

async function isSame(asked: SignRequest, { method, params }: AppRequest): Promise<boolean> {
  const [first, second] = params
  switch (asked.kind) {
    case 'message':
      return (
        method === 'personal_sign' &&
        isAddress(second, asked) &&
        `${parseMessage(first)}` === `${parseMessage(asked.message)}`
      )
    case 'typedData':
      return method === 'eth_signTypedData_v4' && isAddress(first, asked) && isSameTypedData(asked, second)
    case 'evmTransaction':
      return method === 'eth_sendTransaction' && asked.action === 'send' && isSameTransaction(asked, first)
    case 'userOperation':
      return method === 'eth_sendTransaction' && isSameCall(asked, first)
    default:
      return false
  }
}

/** The wallet that is asked: the smart account where one signs by the wallet's key, whose owner is checked with the review. */
function isAddress(value: Plain | undefined, asked: SignRequest): boolean {
  const { address } = ('account' in asked && asked.account) || asked
  return typeof value === 'string' && value.toLowerCase() === address.toLowerCase()
}

/** The other app takes no values but its own. */
function isSameTypedData({ typedData, isEditable }: SignRequestOf<'typedData'>, given: Plain | undefined) {
  if (isEditable) return false
  try {
    return canonicalJson(parseTypedData(typedData).data) === canonicalJson(parseTypedData(given).data)
  } catch (cause) {
    if (cause instanceof TypeError) return false
    throw cause
  }
}

/** Fields that the page fills in, since the network decides them. Every other one has to be as the other app has said it. */
const filledIn: ReadonlySet<string> = new Set([
  ...['type', 'nonce', 'gasLimit', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas', 'from'],
])

/** All of a transaction that another app decides; an empty list is none. */
const decidedOf = (transaction: TransactionRequest): string =>
  canonicalJson(
    Object.fromEntries(
      Object.entries(transaction)
        .filter(([name, value]) => !filledIn.has(name) && value !== undefined && !isEmpty(value))
        .map(([name, value]) => [name, toText(value)]),
    ),
  )

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** Amounts as text, which canonical JSON has. */
const toText = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each)))

/** The same transaction, but for its nonce, gas and fees. Without the app's delegates none with an authorization of code is read at all. */
function isSameTransaction(asked: SignRequestOf<'evmTransaction'>, given: Plain | undefined): boolean {
  const signed = parseTransaction(asked.transaction)
  const wanted = parseTransaction(given, { chainId: signed.chainId })
  return isAddress(wanted.from, asked) && decidedOf(signed) === decidedOf(wanted)
}

/** One call, to the same effect as the transaction that the other app wants: an operation has its own nonce, gas and fees, and no access list. */
async function isSameCall(asked: SignRequestOf<'userOperation'>, given: Plain | undefined): Promise<boolean> {
  const { chainId } = asked.account
  const [call, ...more] = await readCalls(asked)
  const wanted = parseTransaction(given, { chainId })
  return (
    call !== undefined &&
    more.length === 0 &&
    wanted.chainId === chainId &&
    isAddress(wanted.from, asked) &&
    wanted.to?.toLowerCase() === call.to.toLowerCase() &&
    wanted.value === call.value &&
    wanted.data === call.data &&
    wanted.authorizationList === undefined
  )
}
