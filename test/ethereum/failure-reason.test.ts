import { describe, expect, test } from 'vitest'
import { type FailureKind, failureReason } from '../../src/ethereum/failure-reason.ts'
import { nextAttempt } from '../../src/ethereum/next-attempt.ts'
import { isInsufficientFunds, NodeError } from '../../src/lib/node-errors.ts'
import { from, sentTransaction } from './support/scripted-chain.ts'

/** As the clients write them, from their sources and from collections of the errors that their users met. */
const wordings: Partial<Record<FailureKind, readonly (readonly [client: string, message: string])[]>> = {
  'already-known': [
    ['geth', 'already known'],
    ['geth, older', 'known transaction: 0x7f657507aee0511e36d2d1972a6b22e917cc89f92b6c12c4dbd57eaabb236960'],
    ['Besu', 'Known transaction'],
    ['Erigon', 'INTERNAL_ERROR: existing tx with same hash'],
    ['Parity', 'Transaction with the same hash was already imported.'],
    ['Nethermind', 'AlreadyKnown'],
    ['zkSync', 'known transaction. transaction with hash 0x6013 is already in the system'],
    ['Sei', 'tx already exists in cache'],
    ['Mantle', "failed to forward tx to sequencer, please try again. Error message: 'already known'"],
    ['Reth', 'already known'],
  ],
  underpriced: [
    ['geth', 'replacement transaction underpriced'],
    ['geth', 'transaction underpriced'],
    ['Bor', 'transaction underpriced: gas tip cap 1000000000, minimum needed 25000000000'],
    ['Besu', 'Replacement transaction underpriced'],
    ['Erigon', 'could not replace existing tx'],
    ['Erigon', 'INTERNAL_ERROR: could not replace existing tx'],
    ['Nethermind', 'ReplacementNotAllowed'],
    ['Nethermind', 'FeeTooLow'],
    ['Nethermind', 'FeeTooLow, EffectivePriorityFeePerGas too low 10 < 20, BaseFee: 30'],
    ['Nethermind', 'FeeTooLowToCompete'],
    [
      'Parity',
      'Transaction gas price 100wei is too low. There is another transaction with same nonce in the queue with gas price 150wei. Try increasing the gas price or incrementing the nonce.',
    ],
    [
      'Parity',
      'There are too many transactions in the queue. Your transaction was dropped due to limit. Try increasing the fee.',
    ],
    [
      'Lotus',
      'message from f1x with nonce 6209 already in mpool, increase GasPremium to 923651 from 200000 to trigger replace by fee: replace by fee has too low GasPremium',
    ],
    ['Klaytn', 'there is another tx which has the same nonce in the tx pool'],
    ['Arbitrum', 'gas price too low'],
    ['Reth', 'insufficient gas price to replace existing transaction.'],
  ],
  'fee-too-low': [
    ['geth', 'max fee per gas less than block base fee: address 0xabc, maxFeePerGas: 1, baseFee: 7'],
    ['Erigon', 'fee cap less than block base fee'],
    ['Besu', 'Gas price below configured minimum gas price'],
    ['geth, since 1.16', 'transaction gas price below minimum: gas tip cap 1, minimum needed 1000'],
    ['Besu', 'gasPrice is less than the current BaseFee'],
    [
      'Nethermind',
      'FeeTooLow, MaxFeePerGas too low. MaxFeePerGas: 50, BaseFee: 100, MaxPriorityFeePerGas:200, Block number: 5',
    ],
    [
      'Nethermind',
      'FeeTooLow, FeePerGas needs to be higher than 100 to be added to the TxPool. Affordable FeePerGas of rejected tx: 50.',
    ],
    [
      'Parity',
      "Transaction gas price is too low. It does not satisfy your node's minimal gas price (minimal: 100 got: 50). Try increasing the gas price.",
    ],
    [
      'Hedera',
      "[Request ID: e4d0] Gas price '830000000000' is below configured minimum gas price '950000000000'",
    ],
    ['zkSync', 'The operator included transaction with an unacceptable gas price'],
    ['Astar', 'gas price less than block base fee'],
  ],
  'insufficient-funds': [
    ['geth', 'insufficient funds for gas * price + value'],
    [
      'geth',
      'insufficient funds for gas * price + value: address 0xb6 have 9934612900000000 want 9936662900000000',
    ],
    ['geth', 'insufficient balance for transfer'],
    ['geth', 'transaction would cause overdraft'],
    ['Besu', 'Upfront cost exceeds account balance'],
    ['Besu', 'transaction up-front cost 0x10 exceeds transaction sender account balance 0x5'],
    ['Erigon', 'insufficient funds for transfer'],
    [
      'Nethermind',
      'InsufficientFunds, Account balance: 4740799397601480913, cumulative cost: 22019342038993800000',
    ],
    [
      'Nethermind',
      'InsufficientFunds, Balance is 1092404690719251702 less than sending value + gas 7165512000464000000',
    ],
    [
      'Parity',
      'Insufficient funds. The account you tried to send transaction from does not have enough funds. Required 200.50 and got: 100.25.',
    ],
    ['Parity', 'Insufficient balance for transaction. Balance=100.25, Cost=200.50'],
    ['Lotus', 'mpool push: not enough funds: 0 < 5'],
    ['Arbitrum', 'not enough funds for gas'],
    ['Hedera', 'failed precheck with status INSUFFICIENT_PAYER_BALANCE'],
    [
      'ganache',
      "sender doesn't have enough funds to send tx. The upfront cost is: 1 and the sender's account only has: 0",
    ],
  ],
  'nonce-too-low': [
    ['geth', 'nonce too low'],
    ['geth', 'nonce too low: next nonce 8090, tx nonce 8089'],
    ['Besu', 'Nonce too low'],
    ['Nethermind', 'OldNonce, Current nonce: 22, nonce of rejected tx: 17'],
    ['Nethermind', 'OldNonce'],
    ['Nethermind', 'OwnNonceAlreadyUsed'],
    ['Parity', 'Transaction nonce is too low. Try incrementing the nonce.'],
    ['Lotus', 'minimum expected nonce is 5: message nonce too low'],
    ['Arbitrum', 'invalid transaction nonce'],
    ['zkSync', 'nonce too low. allowed nonce range: 427 - 447, actual: 426'],
    ['Harmony', 'transaction already finalized'],
    ['Conflux', 'Transaction 0x84b6 is discarded due to a too stale nonce'],
    ['Cosmos EVM', 'tx nonce is lower than account nonce'],
  ],
  'nonce-too-high': [
    ['geth', 'nonce too high'],
    ['Arbitrum', 'nonce too high: address 0x33, tx: 8089 state: 8090'],
    ['Nethermind', 'NonceGap, Future nonce. Expected nonce: 10'],
    ['Nethermind', 'NonceTooFarInFuture'],
    ['Besu', 'Transaction nonce too far in the future'],
    ['Lotus', 'message nonce has too big a gap'],
    ['Cosmos EVM', 'tx nonce is higher than account nonce'],
  ],
  'gas-too-low': [
    ['geth', 'intrinsic gas too low: gas 1, minimum needed 21000'],
    ['geth', 'insufficient gas for floor data gas cost: gas 21000, minimum needed 22000'],
    ['Besu', 'Intrinsic gas exceeds gas limit'],
    ['Nethermind', 'GasLimitTooLow'],
    [
      'Parity',
      'Transaction gas is too low. There is not enough gas to cover minimal cost of the transaction (minimal: 21000, got: 1). Try increasing supplied gas.',
    ],
    [
      'Lotus',
      "message will not be included in a block: 'GasLimit' field cannot be less than the cost of storing a message on chain 1 < 2",
    ],
    ['Reth', 'call gas cost exceeds the gas limit'],
  ],
  'gas-too-high': [
    ['geth', 'exceeds block gas limit'],
    ['Besu', 'Transaction gas limit exceeds block gas limit'],
    ['Nethermind', 'GasLimitExceeded, Gas limit: 100, gas limit of rejected tx: 200'],
    [
      'Parity',
      'Transaction cost exceeds current gas limit. Limit: 100, got: 200. Try decreasing supplied gas.',
    ],
    ['geth, since Fusaka', 'transaction gas limit too high (cap: 16777216, tx: 30000000)'],
  ],
  'fee-too-high': [
    ['geth', 'tx fee (1.10 ether) exceeds the configured cap (1.00 ether)'],
    ['Besu', 'Transaction fee cap exceeded'],
    ['geth', 'max fee per gas higher than 2^256-1'],
  ],
  'tip-above-max-fee': [
    [
      'geth',
      'max priority fee per gas higher than max fee per gas: address 0xabc, maxPriorityFeePerGas: 2, maxFeePerGas: 1',
    ],
    ['Erigon', 'tip higher than fee cap'],
    ['Besu', 'max priority fee per gas cannot be greater than max fee per gas'],
  ],
  'type-unsupported': [
    ['geth', 'transaction type not supported'],
    ['Besu', 'Invalid transaction type'],
  ],
  busy: [
    ['geth', 'txpool is full'],
    ['Arbitrum', 'queue full'],
    ['Metis', 'sequencer pending tx pool full, please try again'],
    ['Conflux', 'Failed imported to deferred pool: Transaction Pool is full'],
    ['Polygon zkEVM', 'transaction is temporarily banned'],
  ],
}
const all = Object.entries(wordings).flatMap(([kind, list]) =>
  list.map(([client, message]) => [kind as FailureKind, client, message] as const),
)

describe('refusals of nodes, by what they mean', () => {
  test.each(all)('%s of %s: %s', (kind, _, message) => {
    for (const code of [-32_000, -32_603, -32_010, -32_003])
      expect(failureReason(new NodeError(code, message)).kind).toBe(kind)
    expect(failureReason(new NodeError(-32_000, `call failed: ${message}`)).kind).toBe(kind)
    expect(isInsufficientFunds(new NodeError(-32_000, message))).toBe(kind === 'insufficient-funds')
  })

  test.each(['some other words', '', 'execution aborted (timeout = 5s)', 'header not found'])(
    'words that mean none of them stay unknown: %j',
    (message) => {
      expect(failureReason(new NodeError(-32_000, message)).kind).toBe('unknown')
    },
  )

  test("a contract's words are no refusal of the node", () => {
    const cause = new NodeError(3, 'execution reverted: nonce too low', '0x08c379a0')
    expect(failureReason(cause).kind).toBe('reverted')
  })
})

describe('refusals of nodes: the price that they name', () => {
  test.each([
    [
      'gas tip cap',
      'transaction underpriced: gas tip cap 1000000000, minimum needed 25000000000',
      { tip: 25_000_000_000n },
    ],
    ['priority fee', 'FeeTooLow, EffectivePriorityFeePerGas too low 10 < 20, BaseFee: 30', { tip: 20n }],
    ['premium', 'increase GasPremium to 923651 from 200000 to trigger replace by fee: x', { tip: 923_651n }],
    [
      'minimal gas price',
      "gas price is too low. It does not satisfy your node's minimal gas price (minimal: 100 got: 50).",
      { price: 100n },
    ],
    [
      'base fee',
      'max fee per gas less than block base fee: address 0xabc, maxFeePerGas: 1, baseFee: 7',
      { price: 7n },
    ],
    [
      'base fee of Nethermind',
      'FeeTooLow, MaxFeePerGas too low. MaxFeePerGas: 50, BaseFee: 100',
      { price: 100n },
    ],
    [
      'pool price',
      'FeeTooLow, FeePerGas needs to be higher than 100 to be added to the TxPool.',
      { price: 100n },
    ],
    ['configured minimum', "Gas price '83' is below configured minimum gas price '95'", { price: 95n }],
    [
      'price of the other',
      'There is another transaction with same nonce in the queue with gas price 150wei.',
      { replaced: 150n },
    ],
  ])('%s', (_, message, least) => {
    expect(failureReason(new NodeError(-32_000, message)).least).toEqual(least)
  })

  test('of gas is none', () => {
    const cause = new NodeError(-32_000, 'intrinsic gas too low: gas 1, minimum needed 21000')
    expect(failureReason(cause).least).toBeUndefined()
  })
})

describe('the next attempt changes what was wrong', () => {
  const { transaction: sent } = sentTransaction('first', { maxFeePerGas: 8n, maxPriorityFeePerGas: 2n })
  const asked = { ...sent, from: from as `0x${string}`, nonce: undefined, type: undefined }
  const next = (message: string, pageNonce?: bigint) =>
    nextAttempt({ ...asked, nonce: pageNonce }, sent, pageNonce, new NodeError(-32_000, message))

  test.each(all)('%s of %s: %s', (kind, _, message) => {
    const attempt = next(message)
    switch (kind) {
      case 'underpriced':
      case 'fee-too-low':
        expect(attempt).toMatchObject({
          replaces: sent,
          request: { nonce: sent.nonce, maxFeePerGas: undefined },
        })
        return
      case 'fee-too-high':
      case 'tip-above-max-fee':
        expect(attempt?.request).toMatchObject({ nonce: sent.nonce, maxFeePerGas: undefined })
        expect(attempt?.replaces).toBeUndefined()
        return
      case 'nonce-too-low':
      case 'nonce-too-high':
        expect(attempt?.request.nonce).toBeUndefined()
        expect(next(message, 7n)).toBeUndefined()
        return
      case 'gas-too-low':
      case 'gas-too-high':
        expect(attempt?.request).toMatchObject({ gasLimit: undefined, nonce: sent.nonce })
        return
      case 'type-unsupported':
        expect(attempt?.request).toMatchObject({ type: 0, maxFeePerGas: undefined })
        return
      default:
        expect(attempt?.request).toMatchObject({ nonce: sent.nonce })
    }
  })

  test('the price that the node names goes along', () => {
    expect(next('transaction underpriced: gas tip cap 1, minimum needed 25000000000')?.least).toEqual({
      tip: 25_000_000_000n,
    })
  })
})
