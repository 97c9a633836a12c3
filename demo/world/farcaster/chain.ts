import { Hono } from 'hono'
import * as v from 'valibot'
import {
  type Address,
  decodeAbiParameters,
  decodeFunctionData,
  encodeAbiParameters,
  erc6492SignatureValidatorByteCode,
  type Hex,
  isErc6492Signature,
  parseAbi,
  parseErc6492Signature,
  recoverAddress,
  zeroAddress,
} from 'viem'
import { ownerAt, type Person, personOf } from './people.ts'

/** Farcaster's Id Registry on Optimism. */
const idRegistry = '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b'
const registryAbi = parseAbi([
  'function idOf(address owner) view returns (uint256 fid)',
  'function custodyOf(uint256 fid) view returns (address custody)',
])
const walletAbi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
/** Code of a deployed contract wallet; nobody runs it. */
const walletCode = '0x6001600081'
const VALID = '0x1626ba7e'
const INVALID = '0xffffffff'

const request = v.object({
  jsonrpc: v.literal('2.0'),
  id: v.union([v.number(), v.string()]),
  method: v.string(),
  params: v.optional(v.array(v.unknown()), () => []),
})
const callParams = v.object({
  to: v.optional(v.string()),
  data: v.pipe(v.string(), v.regex(/^0x[\da-f]*$/i)),
})

class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/**
 * A node of Optimism with as much of it as a Farcaster login needs: the Id Registry, and contract wallets that answer
 * whether a signature is theirs (EIP-1271, and ERC-6492 before they are deployed).
 */
export function createChain(): Hono {
  return new Hono().post('/', async (c) => {
    const parsed = v.safeParse(request, await c.req.json().catch(() => undefined))
    if (!parsed.success)
      return c.json({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid request' } })
    const { id, method, params } = parsed.output
    try {
      return c.json({ jsonrpc: '2.0', id, result: await answer(method, params) })
    } catch (cause) {
      const error =
        cause instanceof RpcError
          ? { code: cause.code, message: cause.message }
          : { code: 3, message: 'execution reverted' }
      return c.json({ jsonrpc: '2.0', id, error })
    }
  })
}

async function answer(method: string, params: unknown[]): Promise<string> {
  if (method === 'eth_chainId') return '0xa'
  if (method === 'eth_getCode') return ownerAt(String(params[0]))?.wallet === 'contract' ? walletCode : '0x'
  if (method !== 'eth_call') throw new RpcError(-32601, `the method ${method} does not exist`)
  const { to, data } = v.parse(callParams, params[0])
  if (to === undefined) return validator(data as Hex)
  if (to.toLowerCase() === idRegistry.toLowerCase()) return registry(data as Hex)
  const person = ownerAt(to)
  if (person?.wallet !== 'contract') return '0x'
  const { args } = decodeFunctionData({ abi: walletAbi, data: data as Hex })
  const good = await signedBy(person, ...args)
  return encodeAbiParameters([{ type: 'bytes4' }], [good ? VALID : INVALID])
}

function registry(data: Hex): string {
  const { functionName, args } = decodeFunctionData({ abi: registryAbi, data })
  if (functionName === 'idOf')
    return encodeAbiParameters([{ type: 'uint256' }], [BigInt(ownerAt(args[0])?.fid ?? 0)])
  const fid = Number(args[0])
  return encodeAbiParameters([{ type: 'address' }], [fid > 0 ? personOf(fid).custody : zeroAddress])
}

/** What the well-known validator says when it is run without being deployed. */
async function validator(data: Hex): Promise<string> {
  if (!data.startsWith(erc6492SignatureValidatorByteCode)) throw new RpcError(3, 'execution reverted')
  const [signer, hash, signature] = decodeAbiParameters(
    [{ type: 'address' }, { type: 'bytes32' }, { type: 'bytes' }],
    `0x${data.slice(erc6492SignatureValidatorByteCode.length)}`,
  )
  return (await valid(signer, hash, signature)) ? '0x01' : '0x00'
}

async function valid(signer: Address, hash: Hex, signature: Hex): Promise<boolean> {
  const person = ownerAt(signer)
  if (!person || person.wallet === 'key')
    return (await recoverAddress({ hash, signature })).toLowerCase() === signer.toLowerCase()
  if (person.wallet === 'contract') return signedBy(person, hash, signature)
  return isErc6492Signature(signature) && signedBy(person, hash, parseErc6492Signature(signature).signature)
}

const signedBy = async (person: Person, hash: Hex, signature: Hex): Promise<boolean> =>
  (await recoverAddress({ hash, signature }).catch(() => undefined)) === person.key.address
