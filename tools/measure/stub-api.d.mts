export const appId: string
export const walletAppId: string
export const token: string
export const storedSession: Record<string, string>
export function answer(method: string | undefined, path: string): unknown
