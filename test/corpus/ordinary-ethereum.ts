/**
 * Ordinary requests on EVM chains, in three collections: calls and typed data of the fixtures of the ERC-7730 registry
 * (CC0-1.0; made-up addresses with a wrong checksum are in lower case), calls that
 * were recorded on the chain with their hashes (from the test data of rabbitholegg/questdk-plugins), and calls that are built from the
 * functions that well-known contracts publish.
 */
import { bytesToHex, encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { SignContent } from '../../src/protocol/frame/sign-request.ts'
import recorded from './ordinary-recorded.json' with { type: 'json' }
import registry from './ordinary-registry.json' with { type: 'json' }
import { evmTransaction, wallet } from './read.ts'

export interface Ordinary {
  readonly app: string
  readonly title: string
  readonly kind: string
  readonly source: string
  readonly bytes: 'published' | 'recorded' | 'built'
  readonly wallet: string
  readonly content: SignContent
  readonly call?: Call
}
export interface Call {
  readonly chainId: number
  readonly to: string
  readonly value: bigint
  readonly data: string
}
interface Stored {
  readonly app: string
  readonly title: string
  readonly kind: string
  readonly source: string
  readonly wallet?: string
  readonly chainId?: number
  readonly to?: string
  readonly value?: string
  readonly data?: string
  readonly typedData?: unknown
}

/** The one of a message who signs it, where it names somebody. */
const signers = ['owner', 'maker', 'user', 'buyer', 'follower', 'from', 'offerer']
function signerOf(typedData: unknown): string {
  const { message } = typedData as { readonly message: Readonly<Record<string, unknown>> }
  const named = signers.map((name) => message[name]).find((value) => /^0x[\da-f]{40}$/i.test(String(value)))
  return typeof named === 'string' ? named : wallet
}

function toOrdinary(
  { typedData, wallet: from, chainId = 1, to = '', data = '0x', value = '0', ...named }: Stored,
  bytes: Ordinary['bytes'],
): Ordinary {
  const { app, title, kind, source } = named
  const about = { app, title, kind, source, bytes }
  if (typedData !== undefined)
    return {
      ...about,
      wallet: signerOf(typedData),
      content: { kind: 'typedData', typedData: typedData as never },
    }
  const call = { chainId, to, value: BigInt(value), data }
  const signer = from ?? wallet
  return { ...about, wallet: signer, call, content: evmTransaction({ ...call }, signer) }
}

const friend = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const weth = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
const steth = '0xae7ab96520DE3A18E5e111B5EaAb095312D7fE84'
const bored = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D'
const aave = '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2'
const v3 = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45'
const ether = 10n ** 18n
const call = (signature: string, ...args: readonly unknown[]): Hex => {
  const functionName = /^function (\w+)/.exec(signature)?.[1] ?? ''
  return encodeFunctionData({ abi: parseAbi([signature] as never) as never, functionName, args } as never)
}
const approve = (spender: string, amount: bigint) =>
  call('function approve(address spender, uint256 amount)', spender, amount)

type Row = readonly [
  app: string,
  title: string,
  kind: string,
  source: string,
  to: string,
  data: Hex,
  value?: bigint,
]
const rows: readonly Row[] = [
  [
    'wallet',
    'ether to a friend',
    'transfer',
    'https://ethereum.org/developers/docs/transactions',
    friend,
    '0x',
    ether,
  ],
  [
    'wallet',
    'USDC to a friend',
    'transfer',
    'https://eips.ethereum.org/EIPS/eip-20',
    usdc,
    call('function transfer(address to, uint256 amount)', friend, 25_000_000n),
  ],
  [
    'wallet',
    'NFT to a friend',
    'transfer',
    'https://eips.ethereum.org/EIPS/eip-721',
    bored,
    call('function safeTransferFrom(address from, address to, uint256 token)', wallet, friend, 7n),
  ],
  [
    'wallet',
    'ERC-1155 token to a friend',
    'transfer',
    'https://eips.ethereum.org/EIPS/eip-1155',
    '0x76BE3b62873462d2142405439777e971754E8E77',
    call(
      'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
      wallet,
      friend,
      10_527n,
      1n,
      '0x',
    ),
  ],
  [
    'wallet',
    'approval taken back',
    'approval',
    'https://eips.ethereum.org/EIPS/eip-20',
    usdc,
    approve(v3, 0n),
  ],
  [
    'wallet',
    'operator taken back',
    'approval',
    'https://eips.ethereum.org/EIPS/eip-721',
    bored,
    call(
      'function setApprovalForAll(address operator, bool approved)',
      '0x1E0049783F008A0085193E00003D00cd54003c71',
      false,
    ),
  ],
  [
    'Uniswap',
    'approval of what is swapped',
    'approval',
    'https://docs.uniswap.org',
    usdc,
    approve(v3, 25_000_000n),
  ],
  [
    'Uniswap',
    'approval of Permit2 without a limit',
    'approval',
    'https://docs.uniswap.org/contracts/permit2/overview',
    usdc,
    approve('0x000000000022D473030F116dDEE9F6B43aC78BA3', 2n ** 256n - 1n),
  ],
  [
    'OpenSea',
    'operator of a collection',
    'approval',
    'https://docs.opensea.io',
    bored,
    call(
      'function setApprovalForAll(address operator, bool approved)',
      '0x1E0049783F008A0085193E00003D00cd54003c71',
      true,
    ),
  ],
  [
    'WETH',
    'wrap',
    'wrap',
    'https://etherscan.io/address/0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2#code',
    weth,
    call('function deposit()'),
    ether,
  ],
  [
    'WETH',
    'unwrap',
    'wrap',
    'https://etherscan.io/address/0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2#code',
    weth,
    call('function withdraw(uint256 amount)', ether),
  ],
  [
    'Uniswap',
    'swap on V3',
    'swap',
    'https://docs.uniswap.org/contracts/v3/reference/periphery/SwapRouter',
    v3,
    call(
      'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)',
      {
        tokenIn: usdc,
        tokenOut: weth,
        fee: 500,
        recipient: wallet,
        amountIn: 25_000_000n,
        amountOutMinimum: 1n,
        sqrtPriceLimitX96: 0n,
      },
    ),
  ],
  [
    'Curve',
    'exchange',
    'swap',
    'https://docs.curve.finance',
    '0xbEbc44782C7dB0a1A60Cb6fe97d0b483032FF1C7',
    call(
      'function exchange(int128 i, int128 j, uint256 dx, uint256 min_dy)',
      1n,
      2n,
      25_000_000n,
      24_900_000n,
    ),
  ],
  [
    'Curve',
    'liquidity',
    'deposit',
    'https://docs.curve.finance',
    '0xbEbc44782C7dB0a1A60Cb6fe97d0b483032FF1C7',
    call('function add_liquidity(uint256[3] amounts, uint256 min_mint_amount)', [0n, 25_000_000n, 0n], 1n),
  ],
  [
    'Aave',
    'supply',
    'deposit',
    'https://aave.com/docs/aave-v3/smart-contracts/pool',
    aave,
    call(
      'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
      usdc,
      25_000_000n,
      wallet,
      0,
    ),
  ],
  [
    'Aave',
    'withdrawal',
    'withdraw',
    'https://aave.com/docs/aave-v3/smart-contracts/pool',
    aave,
    call('function withdraw(address asset, uint256 amount, address to)', usdc, 25_000_000n, wallet),
  ],
  [
    'Aave',
    'loan',
    'loan',
    'https://aave.com/docs/aave-v3/smart-contracts/pool',
    aave,
    call(
      'function borrow(address asset, uint256 amount, uint256 interestRateMode, uint16 referralCode, address onBehalfOf)',
      usdc,
      25_000_000n,
      2n,
      0,
      wallet,
    ),
  ],
  [
    'Aave',
    'repayment',
    'loan',
    'https://aave.com/docs/aave-v3/smart-contracts/pool',
    aave,
    call(
      'function repay(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf)',
      usdc,
      25_000_000n,
      2n,
      wallet,
    ),
  ],
  [
    'Lido',
    'stake',
    'deposit',
    'https://docs.lido.fi/contracts/lido',
    steth,
    call('function submit(address referral)', `0x${'0'.repeat(40)}`),
    ether,
  ],
  [
    'Lido',
    'withdrawal requested',
    'withdraw',
    'https://docs.lido.fi/contracts/withdrawal-queue-erc721',
    '0x889edC2eDab5f40e902b864aD4d7AdE8E412F9B1',
    call('function requestWithdrawals(uint256[] amounts, address owner)', [ether], wallet),
  ],
  [
    'Lido',
    'wrap of stETH',
    'wrap',
    'https://docs.lido.fi/contracts/wsteth',
    '0x7f39C581F595B53c5cb19bD0b3f8dA6c935E2Ca0',
    call('function wrap(uint256 amount)', ether),
  ],
  [
    'Rocket Pool',
    'stake',
    'deposit',
    'https://docs.rocketpool.net',
    '0xDD3f50F8A6CafbE9b31a427582963f465E745AF8',
    call('function deposit()'),
    ether,
  ],
  [
    'EigenLayer',
    'deposit',
    'deposit',
    'https://docs.eigencloud.xyz',
    '0x858646372CC42E1A627fcE94aa7A7033e7CF075A',
    call(
      'function depositIntoStrategy(address strategy, address token, uint256 amount)',
      '0x93c4b944D05dfe6df7645A86cd2206016c51564D',
      steth,
      ether,
    ),
  ],
  [
    'Compound',
    'supply',
    'deposit',
    'https://docs.compound.finance',
    '0xc3d688B66703497DAA19211EEdff47f25384cdc3',
    call('function supply(address asset, uint256 amount)', usdc, 25_000_000n),
  ],
  [
    'Morpho',
    'deposit in a vault',
    'deposit',
    'https://docs.morpho.org',
    '0xBEEF01735c132Ada46AA9aA4c54623cAA92A64CB',
    call('function deposit(uint256 assets, address receiver)', 25_000_000n, wallet),
  ],
  [
    'ENS',
    'name renewed',
    'create',
    'https://docs.ens.domains/registry/eth',
    '0x253553366Da8546fC250F225fe3d25d0C782303b',
    call('function renew(string name, uint256 duration)', 'latchkey', 31_536_000n),
    5n * 10n ** 15n,
  ],
  [
    'ENS',
    'record set',
    'create',
    'https://docs.ens.domains/resolvers',
    '0x231b0Ee14048e9dCcD1d247744d114a4EB5E8E63',
    call(
      'function setText(bytes32 node, string key, string value)',
      `0x${'11'.repeat(32)}`,
      'url',
      'https://host.example',
    ),
  ],
  [
    'Arbitrum',
    'bridge of ether',
    'bridge',
    'https://docs.arbitrum.io',
    '0x4Dbd4fc535Ac27206064B68FfCf827b0A60BAB3f',
    call('function depositEth()'),
    ether,
  ],
  [
    'Across',
    'bridge of USDC',
    'bridge',
    'https://docs.across.to',
    '0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5',
    call(
      'function depositV3(address depositor, address recipient, address inputToken, address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, address exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes message)',
      wallet,
      wallet,
      usdc,
      '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      25_000_000n,
      24_990_000n,
      8453n,
      `0x${'0'.repeat(40)}`,
      1_700_000_000,
      1_700_010_000,
      0,
      '0x',
    ),
  ],
  [
    'Compound',
    'vote',
    'vote',
    'https://docs.openzeppelin.com/contracts/api/governance',
    '0x309a862bbC1A00e45506cB8A802D1ff10004c8C0',
    call('function castVote(uint256 proposalId, uint8 support)', 178n, 1),
  ],
  [
    'Uniswap',
    'votes delegated',
    'vote',
    'https://docs.uniswap.org',
    '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984',
    call('function delegate(address delegatee)', friend),
  ],
  [
    'Merkle distributor',
    'airdrop claimed',
    'claim',
    'https://github.com/Uniswap/merkle-distributor',
    '0x090D4613473dEE047c3f2706764f49E0821D256e',
    call(
      'function claim(uint256 index, address account, uint256 amount, bytes32[] proof)',
      7n,
      wallet,
      400n * ether,
      [`0x${'22'.repeat(32)}`],
    ),
  ],
  [
    'ERC-721A',
    'mint',
    'mint',
    'https://github.com/chiru-labs/ERC721A',
    '0xED5AF388653567Af2F388E6224dC7C4b3241C544',
    call('function mint(uint256 quantity)', 2n),
    16n * 10n ** 16n,
  ],
]
const built: readonly Ordinary[] = rows.map(([app, title, kind, source, to, data, value = 0n]) => {
  const of = { chainId: 1, to, value, data }
  return {
    app,
    title: `${app}: ${title}`,
    kind,
    source,
    bytes: 'built',
    wallet,
    call: of,
    content: evmTransaction({ ...of }),
  }
})

const typedOf = (title: string, app: string, kind: string, source: string, typedData: unknown): Ordinary => ({
  app,
  title,
  kind,
  source,
  bytes: 'built',
  wallet,
  content: { kind: 'typedData', typedData: typedData as never },
})
const struct = (text: string) =>
  text.split(',').map((field) => {
    const [type = '', name = ''] = field.split(' ')
    return { name, type }
  })
const zero = `0x${'0'.repeat(40)}`
const offer =
  'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount'
const payment = (amount: bigint, recipient: string) => ({
  itemType: '0',
  token: zero,
  identifierOrCriteria: '0',
  startAmount: String(amount),
  endAmount: String(amount),
  recipient,
})
const messages: readonly Ordinary[] = [
  typedOf(
    'OpenSea: listing of an NFT at a price',
    'OpenSea',
    'sale',
    'https://docs.opensea.io/reference/seaport-structs',
    {
      domain: {
        name: 'Seaport',
        version: '1.6',
        chainId: 1,
        verifyingContract: '0x0000000000000068F116a894984e2DB1123eB395',
      },
      primaryType: 'OrderComponents',
      types: {
        OrderComponents: struct(
          'address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter',
        ),
        OfferItem: struct(offer),
        ConsiderationItem: struct(`${offer},address recipient`),
      },
      message: {
        offerer: wallet,
        zone: zero,
        offer: [{ itemType: '2', token: bored, identifierOrCriteria: '7', startAmount: '1', endAmount: '1' }],
        consideration: [
          payment(975n * 10n ** 16n, wallet),
          payment(25n * 10n ** 16n, '0x0000a26b00c1F0DF003000390027140000fAa719'),
        ],
        orderType: '0',
        startTime: '1705733618',
        endTime: '1908411897',
        zoneHash: `0x${'0'.repeat(64)}`,
        salt: '1',
        conduitKey: '0x0000007b02230091a7ed01230072f7006a004d60a8d4e71d599b8104250f0000',
        counter: '0',
      },
    },
  ),
  typedOf('CoW Swap: order', 'CoW Swap', 'swap', 'https://docs.cow.fi/cow-protocol/reference/core/intents', {
    domain: {
      name: 'Gnosis Protocol',
      version: 'v2',
      chainId: 1,
      verifyingContract: '0x9008D19f58AAbD9eD0D60971565AA8510560ab41',
    },
    primaryType: 'Order',
    types: {
      Order: struct(
        'address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance',
      ),
    },
    message: {
      sellToken: usdc,
      buyToken: weth,
      receiver: wallet,
      sellAmount: '25000000',
      buyAmount: '10000000000000000',
      validTo: 1_900_000_000,
      appData: `0x${'11'.repeat(32)}`,
      feeAmount: '0',
      kind: 'sell',
      partiallyFillable: false,
      sellTokenBalance: 'erc20',
      buyTokenBalance: 'erc20',
    },
  }),
  typedOf('Snapshot: vote', 'Snapshot', 'vote', 'https://docs.snapshot.box', {
    domain: { name: 'snapshot', version: '0.1.4' },
    primaryType: 'Vote',
    types: {
      Vote: struct(
        'address from,string space,uint64 timestamp,bytes32 proposal,uint32 choice,string reason,string app,string metadata',
      ),
    },
    message: {
      from: wallet,
      space: 'ens.eth',
      timestamp: '1700000000',
      proposal: `0x${'33'.repeat(32)}`,
      choice: 1,
      reason: '',
      app: 'snapshot',
      metadata: '{}',
    },
  }),
  {
    app: 'sign-in',
    title: 'sign-in: for the page itself',
    kind: 'social',
    source: 'https://eips.ethereum.org/EIPS/eip-4361',
    bytes: 'built',
    wallet,
    content: {
      kind: 'message',
      message: bytesToHex(
        new TextEncoder().encode(
          `host.example wants you to sign in with your Ethereum account:\n${wallet}\n\nSign in\n\nURI: https://host.example\nVersion: 1\nChain ID: 1\nNonce: 32891757\nIssued At: 2026-09-30T16:25:24.000Z`,
        ),
      ),
    },
  },
]

export const ordinaryEthereum: readonly Ordinary[] = [
  ...(registry as readonly Stored[]).map((each) => toOrdinary(each, 'published')),
  ...(recorded as readonly Stored[]).map((each) => toOrdinary(each, 'recorded')),
  ...built,
  ...messages,
]
