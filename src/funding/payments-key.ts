/** The storage key of payments that a user's other wallets were asked for; a file of its own, because a logout removes them unread. */
export const paymentsKey = (appId: string, user: string): string => `lk:${appId}:payments:${user}`
