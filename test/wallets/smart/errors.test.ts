import { encodeErrorResult, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { addWords, createTranslate } from '../../../src/copy/copy.ts'
import { en } from '../../../src/copy/en/index.ts'
import { errorCodes } from '../../../src/errors/codes.ts'
import { KitError } from '../../../src/errors/kit-error.ts'
import { say } from '../../../src/errors/words.ts'
import { NodeError } from '../../../src/lib/node-errors.ts'
import {
  bundlerRefusal,
  isOfSponsor,
  operationErrorCodes,
  operationVerdict,
} from '../../../src/wallets/smart/errors.ts'

addWords(en)
const t = createTranslate()

function words(code: string): string {
  const verdict = operationVerdict(new KitError(code, 'For programs'))
  return verdict.show === 'screen' ? `${t(verdict.title)}: ${say(t, verdict.detail)}` : verdict.show
}

describe('a code of ERC-7769 has an error with a sentence of its own', () => {
  const codes = [
    [-32_602, 'user_operation_invalid'],
    [-32_500, 'user_operation_account_refused'],
    [-32_501, 'user_operation_paymaster_refused'],
    [-32_502, 'user_operation_forbidden_opcode'],
    [-32_503, 'user_operation_out_of_time'],
    [-32_504, 'user_operation_throttled'],
    [-32_505, 'user_operation_stake_too_low'],
    [-32_506, 'user_operation_aggregator_unsupported'],
    [-32_507, 'user_operation_signature_invalid'],
    [-32_508, 'user_operation_sponsor_out_of_funds'],
    [-32_521, 'user_operation_reverted'],
    [-32_005, 'user_operation_throttled'],
    [3, 'user_operation_reverted'],
    [-32_000, 'user_operation_rejected'],
    [429, 'user_operation_rejected'],
  ] as const
  test.each(codes)('%i: %s', (code, expected) => {
    const error = bundlerRefusal(new NodeError(code, 'The bundler says\u202e\nwhy'))
    expect(error.code).toBe(expected)
    expect(error.data).toEqual({ reason: 'The bundler says why' })
  })
})

test.each([
  ['AA10 sender already constructed', 'user_operation_already_deployed'],
  ["AA21 didn't pay prefund", 'insufficient_funds'],
  ['AA22 expired or not due', 'user_operation_out_of_time'],
  ['AA24 signature error', 'user_operation_signature_invalid'],
  ['AA25 invalid account nonce', 'user_operation_nonce_used'],
  ['AA30 paymaster not deployed', 'user_operation_paymaster_refused'],
  ['AA31 paymaster deposit too low', 'user_operation_sponsor_out_of_funds'],
  ['AA32 paymaster expired or not due', 'user_operation_out_of_time'],
  ['AA33 reverted (or OOG)', 'user_operation_paymaster_refused'],
  ['AA34 signature error', 'user_operation_paymaster_refused'],
  ['AA23 reverted', 'user_operation_account_refused'],
  ['AA99 nobody knows', 'user_operation_account_refused'],
])('the EntryPoint’s own reason says more than the code: %s', (message, code) => {
  const wrapped = `UserOperation reverted during simulation with reason: ${message}`
  expect(bundlerRefusal(new NodeError(-32_500, wrapped)).code).toBe(code)
})

test.each([
  [-32_602, 'Replacement underpriced: maxFeePerGas has to be 0x8875781c at least'],
  [-32_602, 'Replacement UserOperation must have higher maxPriorityFeePerGas (got 1)'],
  [-32_602, 'replacement underpriced'],
  [-32_602, "pending ops: replacement op must increase maxFeePerGas (can't replace useroperation)"],
  [-32_602, "(can't replace useroperation)"],
  [-32_602, "User operation can't be replaced: cannot replace userop"],
  [-32_602, 'UserOperation with the same sender and nonce is pending'],
  [-32_602, 'Replacing the operation needs higher fees'],
  [-32_602, 'Userop already known'],
  [-32_500, 'fee not enough to replace the existing operation'],
  [-32_602, 'operation is under-priced'],
  [-32_603, 'operation already exists in mempool'],
  [-32_602, 'already pending'],
  [-32_602, 'bump the gas price'],
  [
    -32_500,
    'AA25 invalid account nonce: User operation already present in mempool, bump the gas price by minimum 10%',
  ],
  [
    -32_500,
    'AA25 invalid account nonce: User operation is already in mempool and getting processed with same nonce and sender',
  ],
])(
  'another operation that waits under the same nonce is told apart from a malformed one: %i %s',
  (code, message) => {
    const error = bundlerRefusal(new NodeError(code, message))
    expect([error.code, error.retryable]).toEqual(['user_operation_pending', true])
  },
)

test('another operation that waits is told by the data of an error as well', () => {
  const data = 'pending ops: replacement op must increase maxFeePerGas and MaxPriorityFeePerGas by >= 10%'
  expect(bundlerRefusal(new NodeError(-32_602, 'Invalid UserOperation struct/fields', data)).code).toBe(
    'user_operation_pending',
  )
})

test('the reason of a failing call is read out of its revert data', () => {
  const data = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['Too late'] })
  const error = bundlerRefusal(new NodeError(-32_521, 'execution reverted', { revertData: '0x', data }))
  expect(error.data).toEqual({ reason: 'Too late' })
})

test('errors of operations: each code is known to hosts, and no two have the same sentence', () => {
  expect(operationErrorCodes.filter((code) => !errorCodes.includes(code))).toEqual([])
  const sentences = [...operationErrorCodes, 'brand_new_code'].map(words)
  // A code that no table knows is a refusal without a known reason.
  expect(new Set(sentences).size).toBe(operationErrorCodes.length)
  expect(words('brand_new_code')).toBe(words('user_operation_rejected'))
  expect(words('__proto__')).toBe(words('user_operation_rejected'))
})

test('errors of operations: those of the sponsor can be paid for by the user, and no others', () => {
  const ofSponsor = operationErrorCodes.filter((code) => isOfSponsor(new KitError(code, '')))
  expect(ofSponsor.sort()).toEqual([
    'sponsor_answer_invalid',
    'sponsor_declined',
    'sponsor_unavailable',
    'user_operation_paymaster_refused',
    'user_operation_sponsor_out_of_funds',
  ])
})
