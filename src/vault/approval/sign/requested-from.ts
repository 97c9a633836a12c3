/** The page that a request comes from: the one around the vault, or that of another app, as the vault's own server says it. */
import { parseMessage } from '../../../ethereum/message.ts'
import { parseTransaction } from '../../../ethereum/transaction.ts'
import { parseTypedData } from '../../../ethereum/typed-data.ts'
import { canonicalJson } from '../../../lib/canonical-json.ts'
import { InvalidRequest } from '../../../lib/invalid-request.ts'
import type { Plain } from '../../../lib/plain.ts'
import type { SignRequest, SignRequestOf } from '../../../protocol/frame/sign-request.ts'
import { type AppRequest, reviewAppRequest } from '../../server/app-requests.ts'
import type { ApprovalContext } from '../purpose.ts'

export interface RequestedFrom {
  readonly origin: string
  /** The name of another app. */
  readonly app?: string | undefined
}

/**
 * Finds who asks. A page that names another app's request has to ask for that very content.
 * @returns a function that reads a request from the server once, however often the page brings it further along
 */
export function createRequestedFrom(
  cx: ApprovalContext<'sign'>,
): (asked: SignRequest) => Promise<RequestedFrom> {
  const found = new Map<string, Promise<AppRequest>>()
  const find = async (id: string) => reviewAppRequest(cx.vault, await cx.token(), id)
  return async (asked) => {
    const id = 'requester' in asked ? asked.requester : undefined
    if (id === undefined) return { origin: cx.origin }
    const finding = found.get(id) ?? find(id)
    found.set(id, finding)
    const request = await finding
    if (!isSame(asked, request)) throw new InvalidRequest('The other app asks for something else')
    const { name, origin } = request.requester
    return { origin, app: name }
  }
}

function isSame(asked: SignRequest, { method, params }: AppRequest): boolean {
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
    default:
      return false
  }
}

const isAddress = (value: Plain | undefined, { address }: SignRequest) =>
  typeof value === 'string' && value.toLowerCase() === address.toLowerCase()

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

/** The page fills in what the network decides: the nonce, the gas and the fees. */
function isSameTransaction(asked: SignRequestOf<'evmTransaction'>, given: Plain | undefined): boolean {
  const signed = parseTransaction(asked.transaction)
  const wanted = parseTransaction(given, { chainId: signed.chainId })
  const same = (['chainId', 'to', 'value', 'data'] as const).every((name) => signed[name] === wanted[name])
  return (
    same &&
    isAddress(wanted.from, asked) &&
    canonicalJson(signed.accessList ?? []) === canonicalJson(wanted.accessList ?? [])
  )
}
