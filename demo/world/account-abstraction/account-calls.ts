import { type Address, decodeAbiParameters, decodeFunctionData, type Hex, parseAbi, sliceHex } from 'viem'

/** Calls of accounts of several makers: one call, or several of them in lists or tuples. */
const abi = parseAbi([
  'function execute(address to, uint256 value, bytes data)',
  'function execute_ncC(address to, uint256 value, bytes data)',
  'function executeUserOp(address to, uint256 value, bytes data, uint8 operation)',
  'function executeUserOpWithErrorString(address to, uint256 value, bytes data, uint8 operation)',
  'function executeBatch(address[] to, bytes[] data)',
  'function executeBatch(address[] to, uint256[] value, bytes[] data)',
  'function executeBatch_y6U(address[] to, uint256[] value, bytes[] data)',
  'function executeBatch((address target, uint256 value, bytes data)[] calls)',
  'function execute(bytes32 mode, bytes calls)',
])
const batch = [
  {
    type: 'tuple[]',
    components: [
      { name: 'target', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'data', type: 'bytes' },
    ],
  },
] as const

/** The recipients of an account's calls. `undefined`: a sponsor doesn't know this form of calls. */
export function targetsOf(callData: Hex): readonly Address[] | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi, data: callData })
    const [first, second] = args
    if (functionName === 'execute' && args.length === 2) return targetsOfMode(first as Hex, second as Hex)
    if (!Array.isArray(first)) return [first as Address]
    return first.map((each: Address | { target: Address }) => (typeof each === 'string' ? each : each.target))
  } catch {
    return undefined
  }
}

/** ERC-7579: the mode's first byte says whether there is one call or several. */
function targetsOfMode(mode: Hex, calls: Hex): readonly Address[] | undefined {
  const kind = sliceHex(mode, 0, 1)
  if (kind === '0x00') return [sliceHex(calls, 0, 20)]
  if (kind !== '0x01') return undefined
  const [all] = decodeAbiParameters(batch, calls)
  return all.map(({ target }) => target)
}
