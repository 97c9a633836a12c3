import { VaultError } from '../errors.ts'

/** What a page gets for arguments that are not what the method takes. Wire 7.7. */
export const invalid = (message: string): VaultError => new VaultError('invalid_request_arguments', message)

/** What a page gets for what the vault does not do. */
export const unsupported = (what: string): VaultError => new VaultError('error', `${what} is unsupported`)

/** With a signature under one of the vault's own statements a page could change what only the vault may. */
export const ownStatement = (): VaultError => invalid('This message is for the wallet service alone')
