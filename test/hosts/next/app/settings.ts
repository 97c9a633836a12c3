import type { HostConfig } from 'latchkey'

export const appId = process.env.NEXT_PUBLIC_APP_ID
export const apiUrl = process.env.NEXT_PUBLIC_API_URL
export const vaultUrl = process.env.NEXT_PUBLIC_VAULT_URL

/** The app offers more methods than this. */
export const config: HostConfig = { loginMethods: ['email'] }
