/** Where a bridge takes deposits on Ethereum's networks, and how: nothing else of it is ever signed. */

/** A place where the bridge takes deposits, and how: `transfer` for coins and tokens that are sent there, or functions that are called. */
export interface BridgeDeposit {
  /** CAIP-2; `undefined`: on every network of Ethereum. */
  readonly chain?: string | undefined
  readonly address: string
  /** Such as `depositNative(address,bytes32)`. */
  readonly functions: readonly string[]
}
/** `transfer`, or a function by its name and types. */
export const bridgeFunction =
  /^(?:transfer|[A-Za-z_]\w{0,63}\((?:[a-z][a-z0-9]*(?:\[\d*\])*(?:,[a-z][a-z0-9]*(?:\[\d*\])*)*)?\))$/
/** Relay's depository, and the account of its solver, on the networks on which they have their usual address. */
export const bridgeDeposits: readonly BridgeDeposit[] = [
  {
    address: '0x4cD00E387622C35bDDB9b4c962C136462338BC31',
    functions: [
      'depositNative(address,bytes32)',
      'depositErc20(address,address,uint256,bytes32)',
      'depositErc20(address,address,bytes32)',
    ],
  },
  { address: '0xf70da97812CB96acDF810712Aa562db8dfA3dbEF', functions: ['transfer'] },
]
