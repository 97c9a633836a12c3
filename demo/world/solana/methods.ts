import { sayError } from './errors.ts'
import {
  type AccountView,
  type Done,
  type Encoding,
  type Ledger,
  RpcError,
  readAddress,
  toBase64,
} from './ledger.ts'
import { innerView, transactionView } from './views.ts'

type Params = readonly unknown[]
export type Methods = Record<string, (params: Params) => unknown>
interface Options {
  encoding?: Encoding
  skipPreflight?: boolean
  sigVerify?: boolean
  replaceRecentBlockhash?: boolean
  innerInstructions?: boolean
  accounts?: { addresses?: unknown }
  minContextSlot?: unknown
}
/** Solana's mainnet, which this ledger represents. */
const genesisHash = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const nativeMint = 'So11111111111111111111111111111111111111112'
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
  const accountView = (account: AccountView | undefined) =>
    account
      ? {
          lamports: Number(account.lamports),
          owner: account.owner,
          data: [toBase64(account.data), 'base64'],
          executable: account.executable,
          rentEpoch: 0,
          space: account.data.length,
        }
      : null
  const viewAt = (address: unknown) => accountView(ledger.account(readAddress(address)))
  const reached = (options: unknown) => {
    const { minContextSlot } = optionsOf(options)
    if (minContextSlot !== undefined && wholeNumber(minContextSlot) > ledger.slot())
      throw new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot: ledger.slot() })
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
      inContext({ blockhash: ledger.blockhash(), lastValidBlockHeight: ledger.lastValidHeight() }),
    isBlockhashValid: ([hash]) => inContext(ledger.isRecent(hash)),
    getBalance: ([address]) => inContext(ledger.balance(readAddress(address))),
    getMinimumBalanceForRentExemption: ([size]) => ledger.rent(wholeNumber(size)),
    getAccountInfo: ([address, options]) => {
      reached(options)
      return inContext(viewAt(address))
    },
    getMultipleAccounts: ([addresses, options]) => {
      reached(options)
      const all = listOf(addresses)
      if (all.length > 100) throw new RpcError(-32602, `Too many inputs provided; max 100`)
      return inContext(all.map(viewAt))
    },
    getTokenAccountsByOwner: ([owner, filter, options]) => {
      const { mint, programId } = Object(filter) as { mint?: unknown; programId?: unknown }
      if (mint === undefined && programId === undefined)
        throw new RpcError(-32602, 'Invalid params: a mint or a program')
      const found = ledger
        .tokenAccounts(readAddress(owner))
        .filter((each) => (mint !== undefined ? each.mint === mint : each.programId === programId))
      const isParsed = (Object(options) as { encoding?: unknown }).encoding === 'jsonParsed'
      return inContext(
        found.map(({ address: pubkey, mint: token, owner: holder, amount, programId: program, state }) => {
          const account = viewAt(pubkey)
          if (!isParsed) return { pubkey, account }
          const info = {
            mint: token,
            owner: holder,
            state: state === 2 ? 'frozen' : 'initialized',
            isNative: token === nativeMint,
            tokenAmount: ledger.amountOf(amount, token),
          }
          const name = program.startsWith('Tokenz') ? 'spl-token-2022' : 'spl-token'
          const data = { program: name, parsed: { type: 'account', info }, space: account?.space }
          return { pubkey, account: { ...account, data } }
        }),
      )
    },
    getTokenAccountBalance: ([address]) => {
      const token = ledger.tokenAccount(readAddress(address))
      if (!token) throw new RpcError(-32602, 'Invalid param: not a Token account')
      return inContext(ledger.amountOf(token.amount, token.mint))
    },
    getFeeForMessage: ([message]) => inContext(ledger.fee(message)),
    getRecentPrioritizationFees: ([addresses]) =>
      ledger.priorityFees(addresses === undefined ? [] : listOf(addresses).map(readAddress)),
    requestAirdrop: ([address, amount]) => told(ledger.airdrop(readAddress(address), wholeNumber(amount))),
    simulateTransaction: ([text, given]) => {
      reached(given)
      const options = optionsOf(given)
      if (options.sigVerify && options.replaceRecentBlockhash)
        throw new RpcError(-32602, 'sigVerify may not be used with replaceRecentBlockhash')
      const { error: err, logs, units, keys, inner, after } = ledger.simulate(text, options)
      const wanted = options.accounts && listOf(options.accounts.addresses).map(readAddress)
      if (wanted && keys.length > 0 && wanted.length > keys.length)
        throw new RpcError(-32602, `Too many accounts provided; max ${keys.length}`)
      return inContext({
        err,
        logs,
        unitsConsumed: units,
        accounts: wanted ? wanted.map((address) => (after ? accountView(after(address)) : null)) : null,
        innerInstructions: options.innerInstructions ? innerView(inner, keys) : null,
        replacementBlockhash: options.replaceRecentBlockhash
          ? { blockhash: ledger.blockhash(), lastValidBlockHeight: ledger.lastValidHeight() }
          : null,
        returnData: null,
      })
    },
    sendTransaction: ([text, given]) => {
      const { encoding, skipPreflight } = optionsOf(given)
      const tried = skipPreflight ? undefined : ledger.simulate(text, { encoding, sigVerify: true })
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
