/** The client type of the embedded wallet (wire 4.3): no wallet outside may call itself so. */
export const embeddedClientType = 'privy'
