/** The networks' own colours; for small marks that never carry meaning alone. */
export const networkColour = { solana: '#9945ff' } as const
