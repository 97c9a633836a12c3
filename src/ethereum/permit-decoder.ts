/** What a signed permit allows. Typed data alone are read here, so that messages do without what decodes calls. */

import { allowance, type TokenAction, UNLIMITED, UNLIMITED_160 } from './token-action.ts'
import type { TypedData, TypedDataField } from './typed-data.ts'

/** EIP-2612, as `eth_signTypedData_v4` is asked for it; and DAI's, which came before it. */
const permits: Readonly<
  Record<string, (fields: Fields, contract: string | undefined) => TokenAction | undefined>
> = {
  'owner address,spender address,value uint256,nonce uint256,deadline uint256': (fields, contract) =>
    allowance(fields.text('spender'), fields.number('value'), UNLIMITED, contract),
  'holder address,spender address,nonce uint256,expiry uint256,allowed bool': (fields, contract) => {
    const party = fields.text('spender')
    if (!party) return undefined
    return fields.text('allowed') === 'true'
      ? { action: 'approve', party, contract, unlimited: true }
      : { action: 'approve', party, contract, amount: 0n, unlimited: false }
  },
}

/**
 * Reads a permit for one token: EIP-2612, DAI's, or Permit2's for one token. `undefined` for all other typed data; what it
 * allows is then unknown.
 */
export function decodePermit(typed: TypedData): TokenAction | undefined {
  const fields = fieldsOf(typed.fields)
  const { contract } = typed.domain
  switch (typed.primaryType) {
    case 'Permit':
      return permits[fields.shape]?.(fields, contract)
    case 'PermitSingle': {
      const details = fields.inner('details')
      if (fields.shape !== 'details PermitDetails,spender address,sigDeadline uint256') return undefined
      if (details?.shape !== 'token address,amount uint160,expiration uint48,nonce uint48') return undefined
      return allowance(fields.text('spender'), details.number('amount'), UNLIMITED_160, details.text('token'))
    }
    case 'PermitTransferFrom': {
      const permitted = fields.inner('permitted')
      if (fields.shape !== 'permitted TokenPermissions,spender address,nonce uint256,deadline uint256')
        return undefined
      if (permitted?.shape !== 'token address,amount uint256') return undefined
      return allowance(fields.text('spender'), permitted.number('amount'), UNLIMITED, permitted.text('token'))
    }
    default:
      return undefined
  }
}

interface Fields {
  /** Names and types in their order: a struct that has others is another struct. */
  readonly shape: string
  text(name: string): string | undefined
  number(name: string): bigint | undefined
  inner(name: string): Fields | undefined
}

function fieldsOf(fields: readonly TypedDataField[]): Fields {
  const fieldValue = (name: string) => fields.find((field) => field.name === name)?.value
  const text = (name: string) => {
    const value = fieldValue(name)
    return typeof value === 'string' ? value : undefined
  }
  return {
    shape: fields.map(({ name, type }) => `${name} ${type}`).join(),
    text,
    number(name) {
      const value = text(name)
      return value !== undefined && /^\d+$|^0x[\da-f]+$/i.test(value) ? BigInt(value) : undefined
    },
    inner(name) {
      const value = fieldValue(name)
      return typeof value === 'object' ? fieldsOf(value) : undefined
    },
  }
}
