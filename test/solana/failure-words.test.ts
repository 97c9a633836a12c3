import * as errors from '@solana/errors'
import * as token from '@solana-program/token'
import { describe, expect, test } from 'vitest'
import { describeFailure } from '../../src/solana/failure-words.ts'
import { readFailure, withRaiser } from '../../src/solana/failures.ts'
import type { DecodedMessage } from '../../src/solana/message.ts'
import { SYSTEM_PROGRAM } from '../../src/solana/programs/system.ts'
import { TOKEN_PROGRAM } from '../../src/solana/programs/token.ts'
import { TOKEN_2022_PROGRAM } from '../../src/solana/programs/token-2022.ts'

const ASSOCIATED = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const OTHER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'
const pascal = (name: string) =>
  name.toLowerCase().replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())
const namesOf = (prefix: string) =>
  Object.keys(errors).flatMap((key) => (key.startsWith(prefix) ? pascal(key.slice(prefix.length)) : []))
/** Names that the kit uses for values beside the network's own names. */
const notNames = ['Unknown', 'Custom']

describe('errors of Solana have words', () => {
  const names = [
    ...namesOf('SOLANA_ERROR__INSTRUCTION_ERROR__'),
    ...namesOf('SOLANA_ERROR__TRANSACTION_ERROR__'),
  ].filter((name) => !notNames.includes(name))

  test('every name of the network that the kit knows', () => {
    expect(names.length).toBeGreaterThan(80)
    expect(names.filter((name) => describeFailure({ code: name }) === undefined)).toEqual([])
  })

  test('every number of the token program', () => {
    const numbers = Object.entries(token).flatMap(([key, value]) =>
      key.startsWith('TOKEN_ERROR__') ? [value] : [],
    )
    expect(numbers).toHaveLength(20)
    for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM])
      for (const custom of numbers as number[])
        expect(describeFailure({ code: 'Custom', custom, program })).toBeDefined()
  })

  test.each([
    [TOKEN_PROGRAM, 17, "The token account is frozen by the token's issuer"],
    [TOKEN_PROGRAM, 1, 'There are too few tokens in the account'],
    [TOKEN_PROGRAM, 4, 'The account belongs to someone else'],
    [TOKEN_PROGRAM, 36, undefined],
    [TOKEN_2022_PROGRAM, 17, "The token account is frozen by the token's issuer"],
    [TOKEN_2022_PROGRAM, 30, 'The fee of the transfer is above its maximum'],
    [TOKEN_2022_PROGRAM, 36, "The recipient's account takes transfers with a memo only"],
    [TOKEN_2022_PROGRAM, 37, "This token can't be transferred"],
    [TOKEN_2022_PROGRAM, 42, 'The guard of the account keeps a program from sending tokens'],
    [TOKEN_2022_PROGRAM, 67, "The token's issuer has paused all transfers"],
    [TOKEN_2022_PROGRAM, 999, undefined],
    [SYSTEM_PROGRAM, 0, 'An account with this address exists already'],
    [SYSTEM_PROGRAM, 1, 'There is too little SOL in the account'],
    [SYSTEM_PROGRAM, 8, 'The nonce has been used'],
    [ASSOCIATED, 0, 'The account belongs to someone else'],
    [OTHER, 17, undefined],
    [undefined, 17, undefined],
  ])('number of %s: %i', (program, custom, words) => {
    expect(describeFailure({ code: 'Custom', custom, program })).toBe(words)
  })

  test.each([
    ['MissingAccount', 'An account that the program needs is missing'],
    ['ComputationalBudgetExceeded', 'The transaction needs more computing units than its limit allows'],
    ['DuplicateInstruction', 'A limit is set twice'],
    ['InvalidLoadedAccountsDataSizeLimit', 'The limit of loaded data is wrong'],
    ['InsufficientFundsForRent', 'An account would hold too little SOL to stay open'],
    ['BrandNew', undefined],
    ['toString', undefined],
  ])('name %s', (code, words) => {
    expect(describeFailure({ code })).toBe(words)
  })
})

describe('the program that has raised an error', () => {
  const message = {
    payer: OTHER,
    accounts: [],
    instructions: [{ program: OTHER }],
  } as unknown as DecodedMessage
  const failure = readFailure({ InstructionError: [0, { Custom: 17 }] }, message)
  const line = (program: string, number = '0x11') =>
    `Program ${program} failed: custom program error: ${number}`

  test('is the one that was called by the transaction, without logs', () => {
    expect(withRaiser(failure, [])).toEqual({ code: 'Custom', custom: 17, instruction: 0, program: OTHER })
  })
  test('is the inner one, where the network says so first', () => {
    expect(withRaiser(failure, [line(TOKEN_PROGRAM), line(OTHER)])).toMatchObject({
      program: TOKEN_PROGRAM,
      words: "The token account is frozen by the token's issuer",
    })
  })
  test.each([
    ['words of a program', `Program log: ${line(TOKEN_PROGRAM)}`],
    ['another number', line(TOKEN_PROGRAM, '0x12')],
    ['no program', line('nobody')],
  ])('is not told by %s', (_, written) => {
    expect(withRaiser(failure, [written])).not.toHaveProperty('words')
  })
})
