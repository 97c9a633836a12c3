/** Ordinary requests that are red, and why that is right. A request that is not here must not be red after a trial run that succeeds. */
const groups: readonly { readonly reason: string; readonly titles: readonly string[] }[] = [
  {
    reason: 'Somebody may take all of a token or of a collection, now and later.',
    titles: [
      'flyingtulip PftNft: Approve pFT operator',
      'lombard lbtc-mainnet: Approve - unlimited allowance - chain 1',
      'lombard lbtc-mainnet: Permit - unlimited allowance - chain 1',
      'Uniswap: approval of Permit2 without a limit',
      'OpenSea: operator of a collection',
    ],
  },
  {
    reason: 'The fixture pays somebody else than its maker.',
    titles: ['1inch AggregationRouterV6: 1inch Order'],
  },
  {
    reason:
      'Somebody may take tokens of the account: on Solana an account has one delegate, and apps that ask for one are few.',
    titles: ['subscriptions: approval of one month of USDC'],
  },
  {
    reason:
      'The program gets the signature of a wallet that holds everything, nobody has read its instruction, and what it does may be another thing when it is sent than when it is tried: drainers count on that.',
    titles: [
      'Jupiter: recurring order',
      'Jupiter: recurring order closed',
      'Jupiter: limit order',
      'Jupiter: limit order cancelled',
      'Jupiter: vote',
      'Pump.fun: buy',
      'Pump.fun: sell',
      'Phoenix: market order',
      'OpenBook: order',
      'Lifinity: swap',
      'Sanctum: swap of staked tokens',
      'Kamino: deposit',
      'Kamino: loan',
      'Kamino: repayment',
      'Kamino: withdrawal',
      'Solend: deposit',
      'MarginFi: deposit',
      'MarginFi: withdrawal',
      'Drift: deposit',
      'Drift: order',
      'Drift: withdrawal',
      'Candy Machine: mint',
      'Tensor: purchase',
      'Realms: vote',
      'Realms: tokens deposited for votes',
      'Squads: proposal approved',
      'Squads: transaction proposed',
      'Wormhole: bridge of USDC',
      'deBridge: bridge of USDC',
      'Circle: bridge of USDC',
      'SNS: domain registered',
      'Solana Merkle distributor: airdrop claimed',
      'Streamflow: vesting claimed',
      'Lighthouse: transfer with a guard',
      'Helium: rewards claimed',
    ],
  },
]

/** The reasons, by title. */
export const justified: Readonly<Record<string, string>> = Object.fromEntries(
  groups.flatMap(({ reason, titles }) => titles.map((title) => [title, reason])),
)
