type Members = readonly { name: string; type: string }[]

/**
 * Typed data whose message has these fields, as a page has it signed.
 * @param more.contract whom the domain names as the contract that verifies it
 * @param more.types what the fields' types are made of
 */
export function typedDataOf(
  primaryType: string,
  fields: Readonly<Record<string, readonly [type: string, value: unknown]>>,
  {
    chainId = 1,
    contract,
    types,
  }: { chainId?: number; contract?: string; types?: Record<string, Members> } = {},
) {
  const all = Object.entries(fields)
  return {
    domain: { name: 'Ether Mail', version: '1', chainId, ...(contract && { verifyingContract: contract }) },
    primaryType,
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        ...(contract ? [{ name: 'verifyingContract', type: 'address' }] : []),
      ],
      [primaryType]: all.map(([name, [type]]) => ({ name, type })),
      ...types,
    },
    message: Object.fromEntries(all.map(([name, [, value]]) => [name, value])),
  }
}
