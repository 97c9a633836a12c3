/** The one address of this backend to which social providers and other apps send people back. */
export const CALLBACK_PATH = '/api/v1/oauth/callback'

/** The address that providers must know as this backend's. @param apiOrigin such as `https://api.example.com` */
export const oauthCallbackUrl = (apiOrigin: string) => apiOrigin + CALLBACK_PATH
