import { encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem'
import type { NodeAnswer } from './chain-node.ts'

const events = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
])
const word = (number: bigint | number) => `0x${number.toString(16).padStart(64, '0')}`
const text = (words: string) => encodeAbiParameters([{ type: 'string' }], [words])

export interface SimulatedToken {
  readonly symbol: string
  readonly decimals: number
}
export interface SimulatedCall {
  readonly logs?: readonly object[]
  /** Why the call fails. */
  readonly error?: { readonly code: number; readonly message: string }
  /** By contract, in lower case. */
  readonly tokens?: Readonly<Record<string, SimulatedToken>>
  readonly baseFee?: string
}

/** A log of a token's transfer, as nodes list it. */
export const transferLog = (token: string, from: string, to: string, amount: bigint) => ({
  address: token.toLowerCase(),
  topics: encodeEventTopics({ abi: events, eventName: 'Transfer', args: { from, to } as never }),
  data: word(amount),
})

/** A node's answer to `eth_simulateV1`, for what the kit asks there. */
export function simulationAnswer(
  [payload]: readonly unknown[],
  { logs = [], error, tokens = {}, baseFee = '0x3b9aca00' }: SimulatedCall = {},
): NodeAnswer {
  const { blockStateCalls } = payload as {
    blockStateCalls: { calls: { from?: string; to?: string; input?: string }[] }[]
  }
  const done = (returnData = '0x') => ({ status: '0x1', returnData, gasUsed: '0x5208', logs: [] })
  const read = ({ to = '', input = '' }: { to?: string; input?: string }) => {
    const token = tokens[to.toLowerCase()]
    switch (input.slice(0, 10)) {
      case '0x06fdde03':
      case '0x95d89b41':
        return done(token && text(token.symbol))
      case '0x313ce567':
        return done(token && word(token.decimals))
      default:
        return done(word(0))
    }
  }
  const failed = { status: '0x0', returnData: '0x', gasUsed: '0x5208', logs: [], error }
  // Whatever is read is asked by nobody.
  const answer = (call: { from?: string; to?: string; input?: string }) =>
    call.from === undefined ? read(call) : error ? failed : { ...done(), logs }
  return {
    result: blockStateCalls.map(({ calls }) => ({
      number: '0x10',
      baseFeePerGas: baseFee,
      calls: calls.map(answer),
    })),
  }
}
