import { describe, expect, test } from 'vitest'
import { parseTypedData } from '../../src/ethereum/typed-data.ts'
import { InvalidRequest } from '../../src/lib/invalid-request.ts'

const mail = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallets', type: 'address[]' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person[1]' },
      { name: 'urgent', type: 'bool' },
      { name: 'stamp', type: 'uint256' },
    ],
  },
  primaryType: 'Mail',
  domain: { name: 'Ether Mail', chainId: 1, verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC' },
  message: {
    from: { name: 'Cow', wallets: ['0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'] },
    to: [{ name: 'Bob', wallets: [] }],
    urgent: true,
    stamp: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
  },
}
type Mail = typeof mail
const changed = (change: (mail: Mail & Record<string, unknown>) => void) => {
  const copy = structuredClone(mail)
  change(copy)
  return copy
}
/** A change by which it is no typed data any more. */
const at = (path: string, value: unknown) =>
  changed((copy) => {
    const names = path.split('.')
    const last = names.pop() ?? ''
    const place = names.reduce((now, name) => now[name] as never, copy as unknown as Record<string, never>)
    if (value === undefined) Reflect.deleteProperty(place, last)
    else place[last] = value as never
  })

test('every field is shown with its type, in the order in which it is signed', () => {
  const expected = {
    domain: { name: 'Ether Mail', chainId: 1n, contract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC' },
    primaryType: 'Mail',
    fields: [
      {
        name: 'from',
        type: 'Person',
        value: [
          { name: 'name', type: 'string', value: 'Cow' },
          {
            name: 'wallets',
            type: 'address[]',
            value: [{ name: '0', type: 'address', value: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' }],
          },
        ],
      },
      {
        name: 'to',
        type: 'Person[1]',
        value: [
          {
            name: '0',
            type: 'Person',
            value: [
              { name: 'name', type: 'string', value: 'Bob' },
              { name: 'wallets', type: 'address[]', value: [] },
            ],
          },
        ],
      },
      { name: 'urgent', type: 'bool', value: 'true' },
      { name: 'stamp', type: 'uint256', value: String(2n ** 256n - 1n) },
    ],
  }
  expect(parseTypedData(mail)).toMatchObject(expected)
  expect(parseTypedData(JSON.stringify(mail))).toMatchObject(expected)
})

test('what is signed is a copy: a page that changes its object afterwards changes nothing', () => {
  const given = structuredClone(mail)
  const { data } = parseTypedData(given)
  given.message.stamp = '1'
  expect((data.message as Mail['message']).stamp).toBe(mail.message.stamp)
})

test('a domain that is not declared is read as what it holds', () => {
  expect(parseTypedData(at('types.EIP712Domain', undefined)).domain).toEqual({
    name: 'Ether Mail',
    chainId: 1n,
    contract: mail.domain.verifyingContract,
  })
})

describe('is refused:', () => {
  test.each([
    ['a field too many in the message', at('message.more', 1)],
    ['a field too few', at('message.urgent', undefined)],
    ['a field too many in a struct', at('message.from.more', 1)],
    ['a primary type that does not exist', at('primaryType', 'Letter')],
    ['the domain as the primary type', at('primaryType', 'EIP712Domain')],
    ['a type that is not defined', at('types.Mail.0.type', 'Somebody')],
    ['a type short for another', at('types.Mail.3.type', 'uint')],
    ['a size that no type has', at('types.Mail.3.type', 'uint264')],
    ['a list of another length', at('message.to', [])],
    ['no list where one should be', at('message.to', { name: 'Bob', wallets: [] })],
    ['a number out of range', at('message.stamp', String(2n ** 256n))],
    ['a negative number without a sign to its type', at('message.stamp', '-1')],
    ['a number that is not exact', at('message.stamp', 2 ** 53)],
    ['a number with zeros in front', at('message.stamp', '007')],
    ['a word for a truth', at('message.urgent', 'true')],
    ['a number for an address', at('message.from.wallets', [1])],
    [
      'an address with a wrong checksum',
      at('message.from.wallets', ['0xcD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826']),
    ],
    ['half a surrogate', at('message.from.name', '\ud800')],
    ['a domain with a field of its own', at('domain.more', 1)],
    ['a domain that declares a strange field', at('types.EIP712Domain.0', { name: 'app', type: 'string' })],
    ['nothing for a struct', at('message.from', null)],
    ['something else beside it', at('extra', 1)],
    ['a field twice', at('types.Person.1', { name: 'name', type: 'string' })],
    ['a type without fields', at('types.Person', [])],
    ['a key that reaches for prototypes', JSON.stringify(mail).replace('"urgent"', '"__proto__"')],
    ['text that is no JSON', 'Hello'],
    ['nothing', undefined],
  ])('%s', (_, raw) => {
    expect(() => parseTypedData(raw)).toThrow(InvalidRequest)
  })

  const nested = (depth: number) => {
    let message: object = { end: '1' }
    for (let level = depth; level > 1; level--) message = { next: [message].slice(0, 1) }
    const types = {
      A: [{ name: 'end', type: 'uint8' }],
    } as Record<string, object[]>
    let name = 'A'
    for (let level = 1; level < depth; level++) {
      types[`B${level}`] = [{ name: 'next', type: `${name}[]` }]
      name = `B${level}`
    }
    return { types, primaryType: name, domain: { name: 'x' }, message }
  }
  test('what is deeper than 32 levels', () => {
    expect(() => parseTypedData(nested(16))).not.toThrow()
    expect(() => parseTypedData(nested(18))).toThrow('too deep')
  })
  test('a list of more than 10,000', () => {
    const wallets = (length: number) => at('message.from.wallets', Array(length).fill('0x'))
    expect(() => parseTypedData(wallets(10_001))).toThrow(InvalidRequest)
  })
  test('a type that is a list a thousand times over, without a word about it', () => {
    expect(() => parseTypedData(at('types.Mail.0.type', `Person${'[]'.repeat(20_000)}`))).toThrow(
      InvalidRequest,
    )
  })
})
