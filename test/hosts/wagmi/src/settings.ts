export const appId: string = import.meta.env.VITE_APP_ID
export const apiUrl: string = import.meta.env.VITE_API_URL
export const vaultUrl: string = import.meta.env.VITE_VAULT_URL
/** The node of Ethereum, for the app's own reads and for the wallet. */
export const rpcUrl: string = import.meta.env.VITE_RPC_URL
