/** How the widget of a site key behaves. */
export interface Conduct {
  /** What a challenge comes to. `interactive` passes once somebody has pressed the box. */
  readonly outcome: 'pass' | 'block' | 'interactive' | 'silent'
  /** So many challenges of a page are failed before the first one passes. */
  readonly failsFirst?: number
  /** Life of the first token of a page, in milliseconds; the later ones have the usual one. */
  readonly firstLife?: number
}

/** Ours: keys for what the vendor's dummy keys don't show. */
export const ownKeys = {
  /** The first try and three more are failed, then it passes. */
  failsAndPasses: '4x00000000000000000000F4',
  /** The first token of a page is over before it can be used. */
  expires: '5x00000000000000000000E1',
  /** Neither a token nor an error ever comes. */
  silent: '6x0000000000000000000000',
} as const

/** The vendor's published dummy keys, and ours. */
export const siteKeys: Readonly<Record<string, Conduct>> = {
  '1x00000000000000000000AA': { outcome: 'pass' },
  '1x00000000000000000000BB': { outcome: 'pass' },
  '2x00000000000000000000AB': { outcome: 'block' },
  '2x00000000000000000000BB': { outcome: 'block' },
  '3x00000000000000000000FF': { outcome: 'interactive' },
  [ownKeys.failsAndPasses]: { outcome: 'pass', failsFirst: 4 },
  [ownKeys.expires]: { outcome: 'pass', firstLife: 800 },
  [ownKeys.silent]: { outcome: 'silent' },
}

/** The vendor's published dummy secrets: one that passes, one that fails, one for which each token is spent. */
export const secretKeys = {
  passes: '1x0000000000000000000000000000000AA',
  fails: '2x0000000000000000000000000000000AA',
  spent: '3x0000000000000000000000000000000AA',
} as const
