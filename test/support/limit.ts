/** Milliseconds after which a test gives up on something, on a machine as slow as this one: see test/config/speed.mjs. */
export const limit = (milliseconds: number): number =>
  Math.round(milliseconds * Number(process.env.LATCHKEY_SLOWNESS || 1))
