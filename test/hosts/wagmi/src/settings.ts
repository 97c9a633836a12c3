export const appId: string = import.meta.env.VITE_APP_ID
export const apiUrl: string = import.meta.env.VITE_API_URL
export const vaultUrl: string = import.meta.env.VITE_VAULT_URL
