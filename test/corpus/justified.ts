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
      'What the program keeps for the wallet can go to any account by this instruction, and a trial run compares no accounts of programs: a thief who gets a position, a loan or an order leaves no trace in the wallet.',
    titles: [
      'Jupiter: recurring order closed',
      'Jupiter: limit order cancelled',
      'Orca: fees collected',
      'Kamino: loan',
      'Kamino: withdrawal',
      'MarginFi: withdrawal',
    ],
  },
  {
    reason: 'It gives away an NFT that a program keeps, which no trial run shows and no reader reads.',
    titles: ['Bubblegum: transfer of a compressed NFT', 'Metaplex Core: transfer of an asset'],
  },
  {
    reason:
      'The price stands in data that nobody reads: whatever is listed or ordered may be sold for nothing.',
    titles: ['Jupiter: limit order', 'Magic Eden: listing'],
  },
  {
    reason:
      'Members of a multisig approve what others have written, which is not in these bytes: approvals like these have moved the treasury of Drift in April 2026 (github.com/1712n/dn-institute/pull/1198).',
    titles: ['Squads: proposal approved', 'Squads: transaction proposed'],
  },
  {
    reason:
      'Who may change the program has changed hands by an attack in April 2026 (github.com/1712n/dn-institute/pull/1198), so its name vouches for nothing.',
    titles: ['Drift: deposit', 'Drift: order', 'Drift: withdrawal'],
  },
  {
    reason:
      'The bridge takes the tokens as a delegate, and whether it has taken all of them its bytes do not say.',
    titles: ['Wormhole: bridge of USDC'],
  },
  {
    reason:
      'Lists of others name the address, and some of them name others wrongly; no publication of its makers was found.',
    titles: [
      'Jupiter: vote',
      'Lifinity: swap',
      'Sanctum: swap of staked tokens',
      'Solana Merkle distributor: airdrop claimed',
      'Lighthouse: transfer with a guard',
    ],
  },
  {
    reason:
      'The tokens of a stream go to any account that the instruction names, which leaves no trace in the wallet.',
    titles: ['Streamflow: vesting claimed'],
  },
]

/** The reasons, by title. */
export const justified: Readonly<Record<string, string>> = Object.fromEntries(
  groups.flatMap(({ reason, titles }) => titles.map((title) => [title, reason])),
)
