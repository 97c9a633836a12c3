/** Calldata and typed data of strangers: what is said of them is true, or nothing is said. */
import fc from 'fast-check'
import { encodeFunctionData, erc20Abi, getAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Description, describeTransaction, describeTypedData } from '../../src/clear-signing/index.ts'
import { limit } from '../support/limit.ts'
import { counted } from '../support/soak.ts'
import { fuzz, inputs, noText, oddText } from './fuzz.ts'

const timeout = limit(300_000)
const token = '0xdAC17F958D2ee523a2206206994597C13D831ec7'

const word = fc.oneof(
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex')),
  // A clean address, and one with a bit in its upper bytes.
  fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes) => Buffer.from(bytes).toString('hex').padStart(64, '0')),
  fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes) => `01${Buffer.from(bytes).toString('hex').padStart(62, '0')}`),
  fc.constantFrom('0'.repeat(64), 'f'.repeat(64), '20'.padStart(64, '0'), '4000'.padStart(64, '0')),
)
const words = (maxLength: number) => fc.array(word, { maxLength }).map((list) => list.join(''))
const tail = fc.constantFrom('', '', '', '00', 'ff', '0'.repeat(62))

interface Allowance {
  readonly spender: string
  /** All amounts but those that can't be told from an NFT's number. */
  readonly amount?: bigint
  readonly amountOrId?: bigint
}
const allowanceIn = ({ actions }: Description) => actions.find(({ kind }) => kind === 'allowance')

describe(`calldata and typed data, of ${counted(inputs)} random inputs`, { timeout }, () => {
  it('an allowance is named by exactly the bytes that encode it', () => {
    fuzz(
      'approve',
      fc.tuple(words(3), tail).map(([list, more]) => `0x095ea7b3${list}${more}`),
      (data) => describeTransaction({ chainId: 1, to: token, data }),
      (described, data) => {
        const action = allowanceIn(described)
        if (!action) {
          expect(described.warnings.map(({ code }) => code)).toContain('odd-encoding')
          return
        }
        const { spender, amountOrId, amount = amountOrId } = action as unknown as Allowance
        const args = [getAddress(spender), amount ?? 0n] as const
        const encoded = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
        expect(`${encoded}${described.trailing.slice(2)}`).toBe(data)
      },
    )
  })

  it('calls of any selector that is known end, and are not described without a descriptor', () => {
    const selectors = [
      'a9059cbb',
      '23b872dd',
      'd505accf',
      'ac9650d8',
      '6a761202',
      '3659cfe6',
      'f2fde38b',
      '00000000',
    ]
    fuzz(
      'known selector',
      fc
        .tuple(fc.constantFrom(...selectors), words(12), tail)
        .map(([selector, list, more]) => `0x${selector}${list}${more}`),
      (data) => describeTransaction({ chainId: 1, to: token, data, from: token }),
      ({ selector, fields, isDescribed }, data) => {
        expect(selector).toBe(data.slice(0, 10))
        if (!isDescribed) expect(fields).toEqual([])
      },
    )
  })

  const types = {
    Permit: ['owner address', 'spender address', 'value uint256', 'nonce uint256', 'deadline uint256'].map(
      (each) => {
        const [name = '', type = ''] = each.split(' ')
        return { name, type }
      },
    ),
  }
  const message = { owner: token, spender: token, value: '5', nonce: '0', deadline: '9' }
  const domain = { name: 'Harbor', version: '1', chainId: 1, verifyingContract: token }

  it('typed data with anything in the place of anything ends, and what an allowance says is in the message', () => {
    const anything = fc.oneof(
      oddText,
      noText,
      fc.constantFrom<unknown>('0x', '5', -1, 2n ** 256n, token, [], {}),
    )
    fuzz(
      'permit',
      fc.tuple(fc.constantFrom('message', 'domain', 'types', 'whole'), fc.nat(), anything),
      ([part, at, value]) => {
        const put = (target: object) => {
          const keys = Object.keys(target)
          return { ...target, [keys[at % keys.length] ?? '']: value }
        }
        const data = { domain, types, primaryType: 'Permit', message }
        const changed =
          part === 'whole'
            ? put(data)
            : part === 'types'
              ? {
                  ...data,
                  types: { Permit: types.Permit.map((each, index) => (index === at % 5 ? put(each) : each)) },
                }
              : { ...data, [part]: put(data[part as 'message' | 'domain']) }
        return { changed, described: describeTypedData(changed, { from: token }) }
      },
      ({ changed, described }) => {
        const action = allowanceIn(described)
        if (!action) return
        const { amount, spender } = action as unknown as Allowance
        const signed = changed.message as typeof message
        if (amount !== undefined) expect(BigInt(signed.value)).toBe(amount)
        expect(spender.toLowerCase()).toBe(String(signed.spender).toLowerCase())
      },
    )
  })
})
