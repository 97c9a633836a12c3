/** Wire 6.1: the literal codes of a person who declined, and of a server that could not go on. */
export const declinedCode = 'undefined'
export const failedCode = 'error'
