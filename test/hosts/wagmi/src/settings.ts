/** The app of the settings, or another one that the address names. */
export const appId: string = new URLSearchParams(location.search).get('app') ?? import.meta.env.VITE_APP_ID
export const apiUrl: string = import.meta.env.VITE_API_URL
export const vaultUrl: string = import.meta.env.VITE_VAULT_URL
/** The node of Ethereum, for the app's own reads and for the wallet. */
export const rpcUrl: string = import.meta.env.VITE_RPC_URL
