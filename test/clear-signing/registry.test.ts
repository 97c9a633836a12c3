import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { canonicalJson, descriptorHash, verifyAttestation } from '../../src/clear-signing/attestation.ts'
import {
  describeTransaction,
  knownAuditors,
  loadRegistry,
  type PackedRegistry,
  readDescriptors,
  selectDescriptors,
} from '../../src/clear-signing/index.ts'
import { compactAttestation, packRegistry } from '../../src/clear-signing/registry.ts'
import { readPlain } from '../../src/lib/plain.ts'
import { limit } from '../support/limit.ts'
import { alice, contract, descriptorOf, encode, lines } from './support.ts'

describe('canonical JSON (RFC 8785)', () => {
  test.each([
    [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
    [
      {
        '€': 'Euro',
        '\r': 'CR',
        '\uFB33': 'Dalet',
        1: 'One',
        '😀': 'Smiley',
        '\u0080': 'Control',
        ö: 'Latin',
      },
      '{"\\r":"CR","1":"One","\u0080":"Control","ö":"Latin","€":"Euro","😀":"Smiley","\uFB33":"Dalet"}',
    ],
    [[Number('333333333.33333329'), 1e30, 4.5, 2e-3, 1e-27], '[333333333.3333333,1e+30,4.5,0.002,1e-27]'],
    [['\u20ac$\u000F\u000aA\'B"\\"/'], '["€$\\u000f\\nA\'B\\"\\\\\\"/"]'],
  ])('%j', (value, expected) => {
    expect(canonicalJson(readPlain(value, 1_000) ?? null)).toBe(expected)
  })
  test('a half character has no canonical form', () => {
    expect(canonicalJson('\uD800')).toBeUndefined()
    expect(canonicalJson({ a: ['\uDC00'] })).toBeUndefined()
  })
})

const key = `0x${'11'.repeat(32)}` as const
const account = privateKeyToAccount(key)
const schema = '0xe023eef113c1670774801c34b377fdf612dd8a4d2fa92fe382e15bd91fafb5c2'
const zero = '0x0000000000000000000000000000000000000000' as const
const domain = {
  name: 'EAS Attestation',
  version: '0.26',
  chainId: 1,
  verifyingContract: '0xA1207F3BBa224E2c9c3c6D5aF63D0eb1582Ce587',
} as const
const types = {
  Attest: [
    'uint16 version',
    'bytes32 schema',
    'address recipient',
    'uint64 time',
    'uint64 expirationTime',
    'bool revocable',
    'bytes32 refUID',
    'bytes data',
    'bytes32 salt',
  ].map((field) => {
    const [type = '', name = ''] = field.split(' ')
    return { name, type }
  }),
}

/** A file as `registry/<entity>/sigs` has it, signed by a key of the test. */
async function attest(data: string, more: { domain?: object; message?: object } = {}) {
  const signed = { ...domain, ...more.domain }
  const message = {
    version: 2,
    schema,
    recipient: zero,
    time: 1_785_288_536n,
    expirationTime: 0n,
    revocable: true,
    refUID: `0x${'00'.repeat(32)}`,
    data,
    salt: `0x${'ab'.repeat(32)}`,
    ...more.message,
  }
  const signature = await account.signTypedData({
    domain: signed,
    types,
    primaryType: 'Attest',
    message,
  } as never)
  return {
    sig: {
      version: 2,
      domain: { ...signed, chainId: String(signed.chainId) },
      primaryType: 'Attest',
      types,
      message: { ...message, time: String(message.time), expirationTime: String(message.expirationTime) },
      signature: {
        r: `0x${signature.slice(2, 66)}`,
        s: `0x${signature.slice(66, 130)}`,
        v: Number.parseInt(signature.slice(130), 16),
      },
    },
    signer: account.address,
  }
}

const functionKey = 'f(uint256 x)'
const raw = descriptorOf(functionKey, { fields: [{ path: 'x', label: 'X', format: 'raw' }] })
const hash = descriptorHash(raw) ?? ''

describe('attestations', () => {
  test('an auditor’s signature of the descriptor is verified, with the signer and the time', async () => {
    expect(verifyAttestation(await attest(hash), hash)).toEqual({
      auditor: account.address,
      time: 1_785_288_536,
    })
  })
  test('one that ends is valid until then', async () => {
    const ending = await attest(hash, { message: { expirationTime: 2_000n } })
    expect(verifyAttestation(ending, hash, 1_999)).toMatchObject({ expiresAt: 2_000 })
    expect(verifyAttestation(ending, hash, 2_000)).toBeUndefined()
  })
  test('of another descriptor, schema, domain or chain it is none', async () => {
    const others = [
      await attest(`0x${'cd'.repeat(32)}`),
      await attest(hash, { message: { schema: `0x${'ee'.repeat(32)}` } }),
      await attest(hash, { domain: { name: 'EAS' } }),
      await attest(hash, { domain: { verifyingContract: contract } }),
      await attest(hash, { domain: { chainId: 10 } }),
    ]
    for (const each of others) expect(verifyAttestation(each, hash)).toBeUndefined()
  })
  test('with any part changed it is none', async () => {
    const good = await attest(hash)
    const change = (edit: (copy: typeof good) => void) => {
      const copy = structuredClone(good)
      edit(copy)
      return verifyAttestation(copy, hash)
    }
    expect(
      change((copy) => {
        copy.signer = alice
      }),
    ).toBeUndefined()
    expect(
      change((copy) => {
        copy.sig.message.time = '1'
      }),
    ).toBeUndefined()
    expect(
      change((copy) => {
        copy.sig.message.salt = `0x${'ac'.repeat(32)}`
      }),
    ).toBeUndefined()
    expect(
      change((copy) => {
        copy.sig.signature.v = 55 - copy.sig.signature.v
      }),
    ).toBeUndefined()
    expect(
      change((copy) => {
        copy.sig.signature.r = `0x${'ff'.repeat(32)}`
      }),
    ).toBeUndefined()
    expect(
      change((copy) => {
        Object.assign(copy.sig.domain, { version: '0.27' })
      }),
    ).toBeUndefined()
    expect(
      change((copy) => {
        Reflect.deleteProperty(copy.sig.message, 'salt')
      }),
    ).toBeUndefined()
  })
  test.each([null, 5, {}, { sig: {} }, { sig: { message: [], signature: 5 }, signer: 'x' }])(
    '%j is none',
    async (value) => {
      expect(verifyAttestation(value, hash)).toBeUndefined()
    },
  )
})

const source = { repository: 'https://harbor.example/registry', licence: 'CC0-1.0' }
const packed = async (attestations: readonly unknown[] = []) => {
  const [candidate] = readDescriptors([raw], 'registry')
  if (!candidate) throw new Error('no descriptor')
  return JSON.parse(
    JSON.stringify(
      packRegistry(source, [
        {
          ...candidate,
          path: 'registry/harbor/calldata-harbor.json',
          attestations: attestations.map(compactAttestation),
        },
      ]),
    ),
  ) as PackedRegistry
}
const trusted = { auditors: { [account.address]: 'An auditor' } }
const call = { chainId: 1, to: contract, data: encode(functionKey, [5n]) }

describe('packed registries', () => {
  test('give their descriptors back, with the auditors whose signatures fit', async () => {
    const registry = loadRegistry(await packed([await attest(hash)]), trusted)
    const described = describeTransaction(call, { descriptors: registry })
    expect(lines(described)).toEqual(['X: 5'])
    expect(described.descriptor).toEqual({
      origin: 'registry',
      trust: 'audited',
      auditors: [{ address: account.address, name: 'An auditor' }],
      path: 'registry/harbor/calldata-harbor.json',
      hash,
    })
  })
  test('an auditor whom the wallet does not know adds no trust', async () => {
    const registry = loadRegistry(await packed([await attest(hash)]))
    expect(describeTransaction(call, { descriptors: registry }).descriptor?.trust).toBe('registry')
  })
  test('a descriptor that was changed after packing is left out', async () => {
    const changed = await packed([await attest(hash)])
    const entry = changed.descriptors[hash] as unknown as { descriptor: { metadata: { owner: string } } }
    entry.descriptor.metadata.owner = 'Mallory'
    const registry = loadRegistry(changed, trusted)
    expect([registry.candidates, registry.refused]).toEqual([[], [hash]])
  })
  test('tables that point to a descriptor of another contract change nothing', async () => {
    const changed = await packed()
    const registry = loadRegistry(
      { ...changed, calls: { [`eip155:1:${alice.toLowerCase()}`]: [hash] } },
      trusted,
    )
    expect(describeTransaction({ ...call, to: alice }, { descriptors: registry }).isDescribed).toBe(false)
  })
  test('the part for one request has what it needs and no more', async () => {
    const whole = await packed()
    expect(
      Object.keys(selectDescriptors(whole, { calls: [{ chainId: 1, address: contract }] }).descriptors),
    ).toEqual([hash])
    expect(
      selectDescriptors(whole, {
        calls: [{ chainId: 10, address: contract }],
        messages: ['__proto__', 'constructor'],
      }),
    ).toMatchObject({ descriptors: {}, calls: {}, messages: {} })
  })
  test.each([
    null,
    5,
    'x',
    {},
    { format: 'other', descriptors: {} },
    { format: 'latchkey-descriptors/1', descriptors: { x: null } },
  ])('%j holds none', async (value) => {
    expect(loadRegistry(value).candidates).toEqual([])
  })
})

test('the registry that comes with the server: each descriptor has its hash, and the auditor’s signatures fit', {
  timeout: limit(60_000),
}, async () => {
  const file = fileURLToPath(new URL('../../demo/backend/descriptors/registry.json.gz', import.meta.url))
  const whole = JSON.parse(gunzipSync(fs.readFileSync(file)).toString()) as PackedRegistry
  const registry = loadRegistry(whole)
  const audited = registry.candidates.filter(({ auditors }) => auditors.length > 0)
  expect(registry.refused).toEqual([])
  expect(registry.candidates.length).toBe(Object.keys(whole.descriptors).length)
  expect(registry.candidates.length).toBeGreaterThan(300)
  expect(audited.length).toBeGreaterThan(40)
  expect(new Set(audited.flatMap(({ auditors }) => auditors.map(({ address }) => address)))).toEqual(
    new Set(Object.keys(knownAuditors)),
  )
  expect(whole.source.licence).toBe('CC0-1.0')
})
