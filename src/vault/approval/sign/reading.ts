/** What a person reads of what they are asked to sign: out of the very bytes that are signed, and nothing that a page says of them. */
import type { Translate } from '../../../copy/copy.ts'
import type { Screen } from '../../../dialog/screen.ts'
import { decodePermit } from '../../../ethereum/call-decoder.ts'
import type { ChainOptions } from '../../../ethereum/chains.ts'
import { parseMessage } from '../../../ethereum/message.ts'
import { completeTransaction, parseTransaction } from '../../../ethereum/transaction.ts'
import { parseTypedData } from '../../../ethereum/typed-data.ts'
import { mustBeForPage, readableText } from '../../../lib/sign-in-text.ts'
import type { ApprovalRequests } from '../../../protocol/frame/approval.ts'
import { shownMessage } from '../../../signing/message/shown.ts'
import { shownSolana } from '../../../signing/solana/shown.ts'
import { figuresOf } from '../../../signing/transaction/transaction-view.ts'
import { shownTypedData } from '../../../signing/typed-data/shown.ts'
import { unsupported } from '../../signing/errors.ts'
import { takeParams } from '../../signing/ethereum.ts'
import { parseMessageParams } from '../../signing/solana.ts'
import type { Risk } from '../purpose.ts'
import { approveTransaction, signMessage, signTypedData } from './screens.ts'

/** A request as a screen shows it. */
export interface Reading {
  readonly screen: Screen<object, SignAnswer>
  readonly props: object
  readonly risk: Risk
}
export type SignAnswer = 'sign' | 'approve' | 'cancel'
type Asked = ApprovalRequests['sign']
type Who = { readonly origin: string; readonly address: string }

/** The vault's own list of chains; another one is shown by its number. */
const chains: ChainOptions = { host: {} }

/** Reads a request completely. Throws `InvalidRequest`, or a `VaultError` for a method that no person is asked about. */
export async function readSignRequest(asked: Asked, origin: string, t: Translate): Promise<Reading> {
  const who = { origin, address: asked.address }
  if (asked.chainType === 'solana') return readSolana(asked, who, t)
  const { method, params } = asked.request
  switch (method) {
    case 'personal_sign': {
      const [message] = takeParams(params, 2, 'personal_sign takes a message and an address')
      return ofMessage(parseMessage(message), who, t)
    }
    case 'eth_signTypedData_v4': {
      const [, data] = takeParams(params, 2, 'eth_signTypedData_v4 takes an address and typed data')
      const typed = parseTypedData(data)
      const permit = decodePermit(typed)
      return reading(
        signTypedData,
        { ...who, ...shownTypedData(chains, typed), cancellable: true },
        permit && !permit.unlimited ? 'usual' : 'high',
      )
    }
    case 'eth_signTransaction':
      return readTransaction(asked, who, t)
    default:
      throw unsupported('This method')
  }
}

function readTransaction({ request, action, state }: Asked, who: Who, t: Translate): Reading {
  const [raw] = takeParams(request.params, 1, 'eth_signTransaction takes a transaction')
  const asked = parseTransaction(raw)
  const preparing = state === 'preparing'
  const transaction = preparing ? asked : completeTransaction(asked)
  const { gasLimit = 0n, gasPrice, maxFeePerGas = gasPrice ?? 0n, data, to } = transaction
  const figures = figuresOf(chains, { ...asked, ...transaction }, preparing ? undefined : gasLimit * maxFeePerGas)
  const named = to !== undefined && (data === '0x' || figures.call !== undefined)
  return reading(
    approveTransaction,
    {
      ...{ ...who, ...figures, action },
      ...(preparing && { preparing }),
      ...(state === 'underfunded' && { error: t('transaction.short') }),
      ...(state === 'may-fail' && { error: t('transaction.unprepared') }),
    },
    named && !figures.call?.unlimited ? 'usual' : 'high',
  )
}

/** By Solana's one method messages are signed, and the messages of transactions; only the bytes say which it is. */
async function readSolana({ request, action }: Asked, who: Who, t: Translate): Promise<Reading> {
  const bytes = parseMessageParams(request)
  const { parseSolanaMessage } = await import('../../../solana/transaction.ts')
  const transaction = parseSolanaMessage(bytes, who.address)
  if (!transaction) return ofMessage(bytes, who, t)
  // The bytes are good on any network, so none is named.
  const props = { ...who, chain: 'Solana', ...shownSolana(transaction), action }
  return reading(approveTransaction, props, transaction.to ? 'usual' : 'high')
}

function ofMessage(bytes: Uint8Array, who: Who, t: Translate): Reading {
  const text = readableText(bytes)
  mustBeForPage(text, who.origin)
  const props = { ...who, ...shownMessage(t, bytes), cancellable: true }
  return reading(signMessage, props, text === undefined ? 'high' : 'usual')
}

const reading = <P extends object, A extends SignAnswer>(
  screen: Screen<P, A>,
  props: P,
  risk: Risk,
): Reading => ({ screen: screen as unknown as Reading['screen'], props, risk })
