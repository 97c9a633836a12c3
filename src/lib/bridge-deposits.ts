/** Where a bridge takes deposits, and how: nothing else of it is ever signed. */

/**
 * A place where the bridge takes deposits, and how: `transfer` for coins and tokens that are sent there, or functions that are called. On
 * Solana a program, and the instructions of it.
 */
export interface BridgeDeposit {
  /** CAIP-2; `solana:mainnet` on Solana; `undefined`: on every network of Ethereum. */
  readonly chain?: string | undefined
  readonly address: string
  /** Such as `depositNative(address,bytes32)`; on Solana `deposit_native`. */
  readonly functions: readonly string[]
}
/** A program's instruction by the name that Anchor gives it. */
export const bridgeInstruction = /^[a-z][a-z0-9_]{0,63}$/
/** `transfer`, or a function by its name and types. */
export const bridgeFunction =
  /^(?:transfer|[A-Za-z_]\w{0,63}\((?:[a-z][a-z0-9]*(?:\[\d*\])*(?:,[a-z][a-z0-9]*(?:\[\d*\])*)*)?\))$/
/** Relay's depositories, and the account of its solver on the networks of Ethereum on which it has its usual address. */
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
  {
    chain: 'solana:mainnet',
    address: '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2',
    functions: ['deposit_native', 'deposit_token'],
  },
]
