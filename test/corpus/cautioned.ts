/**
 * Ordinary requests with a caution or a notice after a trial run that succeeds, with the registry and the tokens' own figures at hand,
 * and why that is right. Beside these, a contract that no descriptor names, and a program that is known by its name alone, have one.
 */
const groups: readonly { readonly reason: string; readonly titles: readonly string[] }[] = [
  {
    reason:
      'The descriptor names neither an asset nor who gets it, or hides all of it, so its words say less than the request does.',
    titles: [
      '1inch AggregationRouterV6: 1inch: AggregationRouterV6: increaseEpoch',
      'benqi sAVAX: Redeem Overdue - chain 43114',
      'okx OkxDexRouterV1.0.7-multi-commission: Swap - chain 1 (4)',
      'serenita EthVault: claim exited assets - chain 1',
      'threshold RebateStaking: Stake T for tBTC fee waivers',
      'threshold RebateStaking: Start unstaking T',
      'threshold RebateStaking: Restrict fee waivers to redemptions',
    ],
  },
  {
    reason: 'The request does not say which token is received, so its least amount has no unit.',
    titles: [
      '1inch AggregationRouterV3: Swap - chain 1 (2)',
      '1inch AggregationRouterV6: 1inch: AggregationRouterV6: unoswap',
      '1inch AggregationRouterV6: 1inch: AggregationRouterV6: unoswap2',
      '1inch AggregationRouterV6: 1inch: AggregationRouterV6: unoswapTo',
      '1inch AggregationRouterV6: 1inch: AggregationRouterV6: unoswapTo3',
      '1inch AggregationRouterV6: 1inch: AggregationRouterV6: ethUnoswap',
      '1inch AggregationRouterV6: 1inch: AggregationRouterV6: ethUnoswap2',
    ],
  },
  {
    reason:
      'The descriptor writes coins as the zero address, which is a token that nobody knows: the amount is in smallest units.',
    titles: [
      'lifi LIFIDiamond: Swap - chain 1 (2)',
      'lifi LIFIDiamond: Swap - chain 1 (5)',
      'lifi LIFIDiamond: Swap - chain 1 (7)',
      'lifi LIFIDiamond: Bridge via RelayDepository - native (chain 1)',
      'lifi LIFIDiamond: Swap & Bridge via AcrossV4 (chain 1)',
      'lifi LIFIDiamond: Swap & Bridge via Mayan - to Solana (chain 1)',
      'lifi LIFIDiamond: Swap & Bridge via NEAR Intents (chain 1)',
      'lifi LIFIDiamond: Swap & Bridge via LayerSwap (chain 1)',
    ],
  },
  {
    reason:
      'The app has hung bytes of its own onto the call, which no function reads: a notice, because the run has shown all that leaves.',
    titles: [
      '1inch AggregationRouterV4: Swap - chain 56',
      '1inch AggregationRouterV6: 1inch: AggregationRouterV6: swap',
      '1inch AggregationRouterV6: 1inch: AggregationRouterV6: fillContractOrder',
      '1inch AggregationRouterV6: 1inch: AggregationRouterV6: fillOrder',
      '1inch AggregationRouterV6: 1inch: AggregationRouterV6: permitAndCall',
      'okx OkxDexRouterV1.0.7-multi-commission: Swap - chain 1 (1)',
      'okx OkxDexRouterV1.0.7-multi-commission: Swap - chain 1 (2)',
      'okx OkxDexRouterV1.0.7-multi-commission: Swap - chain 1 (5)',
      'okx OkxDexRouterV1.0.7-multi-commission: Swap - chain 1 (6)',
      'weth weth: Wrap - chain 1',
    ],
  },
  {
    reason: 'Somebody may take a stated amount, or one NFT, or act within limits, also later.',
    titles: [
      'flyingtulip PftNft: Approve pFT transfer',
      'flyingtulip SessionManager-FT: Create FT session',
      'flyingtulip SessionManager-ftUSD: Create ftUSD session',
      'swell swell: Approve spender - chain 1',
      'Uniswap: approval of what is swapped',
    ],
  },
  {
    reason:
      'A Safe sends several calls at once; the one that no descriptor names stands beside an allowance.',
    titles: ['connext: eth op polygon on chain 10', 'connext: eth op arbitrum on chain 10'],
  },
  {
    reason:
      'Somebody else votes with what the wallet holds. Whoever votes for enough of it decides over the treasury.',
    titles: [
      'tally tally-arbitrum-arb-token: ARB token',
      'tally tally-ethereum-ens-token: ENS token',
      'tally tally-ethereum-gtk-token: GTK token',
      'tally tally-ethereum-hop-token: HOP token',
      'tally tally-ethereum-pool-token: POOL token',
      'tally tally-ethereum-uni-token: UNI token',
      'tally: arbitrum test on chain 42161',
      'tally: optimism test on chain 10',
      'Uniswap: votes delegated',
    ],
  },
  {
    reason:
      'Anybody who has the signature may sell what is listed at the price that is shown, until it ends.',
    titles: ['OpenSea: listing of an NFT at a price', 'CoW Swap: order'],
  },
  {
    reason: 'Whoever has the signature may move what it names, without a transaction of the wallet.',
    titles: [
      'hyperliquid withdraw: Hyperliquid withdraw - 1 USDC',
      'rarible rarible-exchange-v2-meta-tx: Meta Transaction',
    ],
  },
  {
    reason: 'Bytes in the message are read by a program alone, so nobody can see what is agreed to.',
    titles: [
      'lens lens-lenshub: Act',
      'rarible rarible-exchange-v2: List Order',
      'rarible rarible-exchange-wrapper: List Order',
      'smartcredit smartcredit: SmartCredit.io',
      'Snapshot: vote',
    ],
  },
  {
    reason: 'What is burned is gone, whatever it was worth.',
    titles: ['Solana wallet: burning a spam NFT and closing its account'],
  },
  {
    reason: 'An account is closed whose deposit comes back: a notice, so that nobody looks for it later.',
    titles: ['Solana wallet: unwrapping SOL', 'Solana wallet: closing two empty accounts'],
  },
]

/** The reasons, by title. */
export const cautioned: Readonly<Record<string, string>> = Object.fromEntries(
  groups.flatMap(({ reason, titles }) => titles.map((title) => [title, reason])),
)
