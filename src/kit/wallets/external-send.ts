/** Hands transactions to external wallets, which show and sign them themselves. */
import { base64 } from '@scure/base'
import type { Config } from '../../app/config.ts'
import { KitError } from '../../errors/kit-error.ts'
import { formatQuantity } from '../../ethereum/integer.ts'
import type { WalletTransaction } from '../../ethereum/transaction.ts'
import { toByteArray } from '../../lib/byte-array.ts'
import { type Clock, within } from '../../lib/clock.ts'
import type { SentExternally } from '../../signing/send/external.ts'
import type { SolanaRequest } from '../../solana/prepare.ts'
import { fieldOf, listOf } from '../../wallets/external/claims.ts'
import type { ConnectedAccount, EthereumProvider, SolanaProvider } from '../../wallets/external/connector.ts'
import { requestTimeout } from '../../wallets/external/timeouts.ts'
import { failed } from '../../wallets/external/wallet-failures.ts'
import type { SolanaChain } from './follow.ts'

/** Has a wallet sign and send a transaction on the chain that it is on. Throws what the wallet throws. */
export async function sendByWallet(
  { connector, address }: Pick<ConnectedAccount, 'connector' | 'address'>,
  { to, value, data, gasLimit, maxFeePerGas, maxPriorityFeePerGas, gasPrice }: WalletTransaction,
): Promise<SentExternally> {
  const amount = (name: string, given: bigint | undefined) =>
    given === undefined ? {} : { [name]: formatQuantity(given) }
  const transaction = {
    from: address,
    to,
    value: formatQuantity(value),
    ...(data !== '0x' && { data }),
    ...amount('gas', gasLimit),
    ...amount('maxFeePerGas', maxFeePerGas),
    ...amount('maxPriorityFeePerGas', maxPriorityFeePerGas),
    ...amount('gasPrice', gasPrice),
  }
  const provider = connector.provider(address) as EthereumProvider
  const hash = await provider.request({ method: 'eth_sendTransaction', params: [transaction] })
  if (typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(hash)) throw failed('The wallet gave no hash')
  return { hash: hash.toLowerCase() }
}

/** A transaction that a wallet has signed, and that no network has yet. */
export interface SignedByWallet {
  readonly sent: SentExternally
  /** Gives it to the network. Throws as `submit` of src/solana/submit.ts does. */
  broadcast(): Promise<void>
}

/** Has a wallet sign for Solana; the network gets it from here, so that it can be followed like any other. */
export async function signByWallet(
  { clock, config }: { readonly clock: Clock; readonly config: () => Config },
  { cluster, rpc, room }: SolanaChain,
  { connector, address, meta }: Pick<ConnectedAccount, 'connector' | 'address' | 'meta'>,
  request: SolanaRequest,
): Promise<SignedByWallet> {
  const { wallet, account } = connector.provider(address) as SolanaProvider
  const feature = fieldOf(wallet.features, 'solana:signTransaction')
  const sign = fieldOf(feature, 'signTransaction')
  if (typeof sign !== 'function')
    throw new KitError('unsupported_method', `${meta.name} has no solana:signTransaction`)
  const prepared = await room.prepare({ rpc, clock }, request, { mayChange: true })
  const transaction = Uint8Array.from(prepared.transaction.bytes)
  const limit = requestTimeout({ config }, meta.id)
  const answer = await within(
    clock,
    limit,
    async (): Promise<unknown> => sign.call(feature, { account, transaction, chain: cluster.chain }),
  )
  const [first] = listOf(answer, 1) ?? []
  const bytes = toByteArray(fieldOf(first, 'signedTransaction'))
  if (!bytes) throw failed('The wallet signed nothing')
  const signed = room.decodeTransaction(Uint8Array.from(bytes))
  const [own] = signed.signatures
  if (signed.message.payer !== address || !own) throw failed('The wallet signed something else')
  const { bytes: complete, signature } = room.withSignature(signed, address, own)
  if (signature === undefined) throw failed('The wallet signed nothing')
  const { life } = prepared
  return {
    sent: {
      hash: signature,
      raw: base64.encode(complete),
      ...(life.kind === 'blockhash' && { lastValidBlockHeight: String(life.lastValidBlockHeight) }),
    },
    broadcast: () => room.submit(rpc, { bytes: complete, signature }, { message: signed.message }),
  }
}
