import { sayError } from './errors.ts'
import { type Done, type Encoding, type Ledger, RpcError, readAddress, toBase64 } from './ledger.ts'
import { transactionView } from './views.ts'

type Params = readonly unknown[]
export type Methods = Record<string, (params: Params) => unknown>
interface Options {
  encoding?: Encoding
  skipPreflight?: boolean
}
/** Solana's mainnet, which this ledger represents. */
const genesisHash = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const version = { 'solana-core': '2.2.0', 'feature-set': 1 }

const wholeNumber = (value: unknown): number => {
  if (!Number.isSafeInteger(value) || Number(value) < 0)
    throw new RpcError(-32602, 'Invalid params: a number')
  return Number(value)
}
const listOf = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value) || value.length > 256) throw new RpcError(-32602, 'Invalid params: a list')
  return value
}
const optionsOf = (value: unknown): Options => (typeof value === 'object' && value !== null ? value : {})
const statusOf = ({ error }: Done) => (error ? { Err: error } : { Ok: null })

/** What the node answers over HTTP. @param onDone told of each transaction that has been run */
export function createMethods(ledger: Ledger, onDone: (one: Done) => void): Methods {
  const inContext = (value: unknown) => ({ context: { slot: ledger.slot(), apiVersion: '2.2.0' }, value })
  const accountView = (address: unknown) => {
    const account = ledger.account(readAddress(address))
    if (!account.exists) return null
    return {
      lamports: Number(account.lamports),
      owner: account.programAddress,
      data: [toBase64(Uint8Array.from(account.data)), 'base64'],
      executable: account.executable,
      rentEpoch: 0,
      space: account.data.length,
    }
  }
  const told = (one: Done) => {
    onDone(one)
    return one.signature
  }

  return {
    getHealth: () => 'ok',
    getVersion: () => version,
    getGenesisHash: () => genesisHash,
    getSlot: () => ledger.slot(),
    getBlockHeight: () => ledger.height(),
    getEpochInfo: () => ({
      absoluteSlot: ledger.slot(),
      blockHeight: ledger.height(),
      slotIndex: ledger.slot(),
      epoch: 0,
      slotsInEpoch: 432_000,
      transactionCount: ledger.done.size,
    }),
    getLatestBlockhash: () =>
      inContext({ blockhash: ledger.blockhash(), lastValidBlockHeight: ledger.height() + 150 }),
    isBlockhashValid: ([hash]) => inContext(hash === ledger.blockhash()),
    getBalance: ([address]) => inContext(ledger.balance(readAddress(address))),
    getMinimumBalanceForRentExemption: ([size]) => ledger.rent(wholeNumber(size)),
    getAccountInfo: ([address]) => inContext(accountView(address)),
    getMultipleAccounts: ([addresses]) => inContext(listOf(addresses).map(accountView)),
    getFeeForMessage: ([message]) => inContext(ledger.fee(message)),
    getRecentPrioritizationFees: () => [{ slot: ledger.slot(), prioritizationFee: 0 }],
    requestAirdrop: ([address, amount]) => told(ledger.airdrop(readAddress(address), wholeNumber(amount))),
    simulateTransaction: ([text, options]) => {
      const { error: err, logs, units } = ledger.simulate(text, optionsOf(options).encoding)
      return inContext({ err, logs, unitsConsumed: units, accounts: null, returnData: null })
    },
    sendTransaction: ([text, given]) => {
      const { encoding, skipPreflight } = optionsOf(given)
      const tried = skipPreflight ? undefined : ledger.simulate(text, encoding)
      if (tried?.error) {
        const message = `Transaction simulation failed: ${sayError(tried.error)}`
        const { error: err, logs, units: unitsConsumed } = tried
        throw new RpcError(-32002, message, { err, logs, unitsConsumed, accounts: null })
      }
      return told(ledger.send(text, encoding))
    },
    getSignatureStatuses: ([signatures]) =>
      inContext(
        listOf(signatures).map((each) => {
          const one = ledger.done.get(String(each))
          if (!one) return null
          const { slot, error: err } = one
          return { slot, err, confirmations: null, status: statusOf(one), confirmationStatus: 'finalized' }
        }),
      ),
    getTransaction: ([signature, options]) => {
      const one = ledger.done.get(String(signature))
      return one ? transactionView(one, (options as { encoding?: string } | undefined)?.encoding) : null
    },
    getSignaturesForAddress: ([given]) => {
      const address = readAddress(given)
      return [...ledger.done.values()]
        .filter(({ sent }) => sent?.keys.includes(address))
        .map(({ signature, slot, error: err, time: blockTime }) => ({
          signature,
          slot,
          err,
          blockTime,
          memo: null,
          confirmationStatus: 'finalized',
        }))
        .reverse()
    },
  }
}
