/** The one address of this backend to which Google sends the owners of drives back. */
export const CALLBACK_PATH = '/api/v1/recovery/oauth/callback'

/** The address that Google must know as this backend's. @param apiOrigin such as `https://api.example.com` */
export const driveCallbackUrl = (apiOrigin: string) => apiOrigin + CALLBACK_PATH
