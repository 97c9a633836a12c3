/** How many characters the id of an app has. */
export const appIdLength = 25
