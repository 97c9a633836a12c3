/** Unix milliseconds as the protocol has times: whole Unix seconds. */
export const toSeconds = (milliseconds: number) => Math.floor(milliseconds / 1_000)
