import { InvalidRequest } from '../../lib/invalid-request.ts'
import { VaultError } from '../errors.ts'

/** What a page gets for something that the vault does not do. */
export const unsupported = (what: string): VaultError => new VaultError('error', `${what} is unsupported`)

/** With a signature under one of the vault's own statements, a page could change what only the vault may change. */
export const reservedStatement = (): InvalidRequest =>
  new InvalidRequest('This message is reserved for the wallet service')
