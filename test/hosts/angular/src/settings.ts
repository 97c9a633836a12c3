import type { HostConfig } from 'latchkey'

// Set by the build (`--define`).
declare const APP_ID: string
declare const API_URL: string
declare const VAULT_URL: string
export const appId = APP_ID
export const apiUrl = API_URL
export const vaultUrl = VAULT_URL

/** The app offers more methods than this. */
export const config: HostConfig = { loginMethods: ['email'] }
