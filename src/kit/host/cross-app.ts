/** Requests of a host to wallets of other apps; loaded with the first of them. The kit is ready. */
import { KitError } from '../../errors/kit-error.ts'
import { parseEthereumAddress } from '../../ethereum/address.ts'
import { defaultChainId } from '../../ethereum/chains.ts'
import { isWellFormed } from '../../ethereum/hex.ts'
import type { Login } from '../../login/context.ts'
import { askApp } from '../../login/cross-app/app-request-flow.ts'
import { crossAppAccount, crossAppMethod } from '../../protocol/cross-app.ts'
import { type AppCall, appErrors } from '../../protocol/cross-app-requests.ts'
import type { CrossAppRequestOptions, TransactionRequestInput } from '../api.ts'
import type { KitContext } from '../context.ts'
import { serviceFeatures } from '../services/features.ts'
import type { Sending } from '../wallets/sending.ts'
import { provingContext } from './account.ts'
import { personOf } from './person.ts'
import { inTurn, readRequest } from './requests.ts'
import { runSigning } from './signing.ts'

/** A request of the host, with the window that its press has opened. */
interface Request {
  readonly options: CrossAppRequestOptions
  readonly window: Window | null | undefined
}

/** Signs for `kit.crossApp.signMessage`. */
export async function signMessageByApp(
  cx: KitContext,
  sending: Sending,
  message: unknown,
  request: Request,
): Promise<{ signature: string }> {
  if (typeof message !== 'string' || message === '' || !isWellFormed(message))
    throw new KitError('invalid_message', 'Message must be a non-empty string')
  const { address } = request.options
  // Text that looks like hex would be read as other bytes.
  const text = /^0x[0-9a-f]*$/i.test(message) ? toHex(message) : message
  return signed(cx, sending, request, { method: 'personal_sign', params: [text, address] })
}

/** Signs for `kit.crossApp.signTypedData`. */
export async function signTypedDataByApp(
  cx: KitContext,
  sending: Sending,
  input: unknown,
  request: Request,
): Promise<{ signature: string }> {
  const { parseTypedData } = await serviceFeatures.ethereumTypedData()
  const { data } = readRequest(() => parseTypedData(input))
  const params = [request.options.address, data] as const
  return signed(cx, sending, request, { method: 'eth_signTypedData_v4', params })
}

/** Sends for `kit.crossApp.sendTransaction`. */
export async function sendTransactionByApp(
  cx: KitContext,
  sending: Sending,
  input: TransactionRequestInput,
  request: Request,
): Promise<{ transactionHash: string }> {
  const { address } = request.options
  const { parseTransaction, formatTransaction } = await serviceFeatures.ethereumTransactions()
  const chainId = defaultChainId(cx.app.known())
  const transaction = readRequest(() => parseTransaction(input, { chainId }))
  const params = [{ ...formatTransaction(transaction), from: address }] as const
  const transactionHash = await ask(cx, sending, request, { method: 'eth_sendTransaction', params })
  const chain = `eip155:${transaction.chainId}`
  cx.events.emit('submitted', { transactionHash, chain, address })
  return { transactionHash }
}

async function signed(cx: KitContext, sending: Sending, request: Request, call: AppCall) {
  const signature = await ask(cx, sending, request, call)
  cx.events.emit('signature', { signature, address: request.options.address })
  return { signature }
}

async function ask(
  cx: KitContext,
  sending: Sending,
  { options, window }: Request,
  call: AppCall,
): Promise<string> {
  const { address, surface, signal } = options
  const { linkedAccounts } = personOf(cx, 'signing')
  const account = linkedAccounts
    .flatMap((each) => crossAppAccount(each) ?? [])
    .find(({ wallets }) => wallets.some((each) => each.toLowerCase() === address?.toLowerCase()))
  // The protocol has no request to a wallet of Solana.
  if (!account || !parseEthereumAddress(address))
    throw new KitError('cross_app_invalid_wallet', appErrors.wallet)
  const via = crossAppMethod(account.appId)
  const services = await cx.services()
  let linked: Login | undefined
  try {
    return await inTurn(sending, signal, (turn) =>
      runSigning(cx, { surface, signal, turn }, ({ stage }) =>
        askApp(
          provingContext(cx, services, { stage, via, purpose: { kind: 'link' }, surface: surface?.name }),
          {
            account,
            call,
            window,
            onLinked: (login) => {
              linked = login
            },
          },
        ),
      ),
    )
  } finally {
    if (linked) await cx.announceChange('linked', linked)
  }
}

const toHex = (text: string) =>
  `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
