import { checksumAddress } from '../../../src/ethereum/address.ts'
import { read, type Suite, same } from './suite.ts'

export const eip55: Suite = {
  name: 'EIP-55, by which addresses are shown and signed',
  async run(load) {
    const addresses = await read<readonly string[]>(load, 'eip712/eips/eip55-addresses.json')
    for (const address of addresses) {
      same(checksumAddress(address.slice(2).toLowerCase()), address, 'from lower case')
      same(checksumAddress(address.slice(2).toUpperCase()), address, 'from upper case')
    }
    return `EIP-55: ${addresses.length} addresses`
  },
}
