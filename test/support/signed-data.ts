/** Typed data with one flat type, as a page has it signed. */
export const typedDataOf = (
  primaryType: string,
  fields: Readonly<Record<string, readonly [type: string, value: string]>>,
  chainId = 1,
) => ({
  domain: { name: 'Ether Mail', version: '1', chainId },
  primaryType,
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    [primaryType]: Object.entries(fields).map(([name, [type]]) => ({ name, type })),
  },
  message: Object.fromEntries(Object.entries(fields).map(([name, [, value]]) => [name, value])),
})
