/** `0x71C7…976F` for an EVM address, `7EqQ…nGbH` for others. */
export function shortAddress(address: string): string {
  const start = address.startsWith('0x') ? 6 : 4
  return address.length > start + 5 ? `${address.slice(0, start)}…${address.slice(-4)}` : address
}

/** An address in groups of four; a leading `0x` goes with the first one. */
export function groups(address: string): string[] {
  return address.match(/^0x.{1,4}|.{1,4}/g) ?? []
}
