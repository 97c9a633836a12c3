import { VaultError } from '../../errors.ts'
import { parseRootName } from '../../keys/address.ts'
import type { PurposeFlow } from '../purpose.ts'
import { bringHere } from './bring-here.ts'

/** Gets a wallet back that is not on this device, or that this device may not use yet. */
export const recover: PurposeFlow<'recover'> = async (cx) => {
  const { root: named, address } = cx.asked.get()
  const root = await parseRootName(named.chainType, named.address)
  if (!root) throw new VaultError('invalid_request_arguments', 'The root is not an address')
  await bringHere(cx, cx.stage, { root, address })
  return { recovered: true }
}
