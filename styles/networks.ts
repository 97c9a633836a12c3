/** The colours by which networks are known; small marks only, never the one sign of anything. */
export const networkColour = { solana: '#9945ff' } as const
