/** Unix milliseconds as the protocol has times: whole Unix seconds. */
export const toSeconds = (milliseconds: number) => Math.floor(milliseconds / 1_000)

/** The next multiple of `unit`, or `at` itself where it is one. */
export const roundUp = (at: number, unit: number): number => Math.ceil(at / unit) * unit
