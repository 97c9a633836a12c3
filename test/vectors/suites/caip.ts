import { checksumAddress, parseEthereumAddress } from '../../../src/ethereum/address.ts'
import * as caip from '../../../src/lib/caip.ts'
import { read, type Suite, same } from './suite.ts'

interface Example {
  readonly id: string
  readonly checksum?: 'good' | 'bad'
}
interface Examples {
  readonly caip2: readonly Example[]
  readonly caip10: readonly Example[]
}

/** Whether an address is written with its right checksum (EIP-55). */
const isChecksummed = (address: string) =>
  address.length === 42 && address === checksumAddress(address.slice(2))

type File = Examples & { caip19: readonly Example[]; eip155: Examples; solana: Examples }

export const caipExamples: Suite = {
  name: 'chain, account and asset ids',
  async run(load) {
    const file = await read<File>(load, 'caip/caip-examples.json')
    const groups = [file, file.eip155, file.solana]
    const chains = groups.flatMap(({ caip2 }) => caip2)
    const accounts = groups.flatMap(({ caip10 }) => caip10)
    for (const { id } of chains) same(written(caip.parseChainId(id), caip.formatChainId), id, 'chain')
    for (const { id } of accounts) same(written(caip.parseAccountId(id), caip.formatAccountId), id, 'account')
    for (const { id } of file.caip19) same(written(caip.parseAssetId(id), caip.formatAssetId), id, 'asset')

    const summed = file.eip155.caip10.filter(({ checksum }) => checksum)
    for (const { id, checksum } of summed) {
      const { address = '' } = caip.parseAccountId(id) ?? {}
      same(isChecksummed(address), checksum === 'good', id)
      same(isChecksummed(parseEthereumAddress(address) ?? ''), true, `${id}, put right`)
    }
    const count = chains.length + accounts.length + file.caip19.length
    return `CAIP: ${count} ids, ${summed.length} of them with a word on their checksum`
  },
}

const written = <T>(read: T | undefined, format: (ref: T) => string) => read && format(read)
